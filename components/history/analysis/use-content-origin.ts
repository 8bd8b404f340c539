"use client";

import { useEffect, useMemo, useState } from "react";
import {
  type ReadLog,
  type Source as SourceVersions,
  sourcesOf,
} from "@/events/analysis/ancestry/ancestry";
import { ContentOrigin } from "@/events/analysis/lineage/copy-in";
import { type Attribution } from "@/events/analysis/lineage/lineage";
import { type Store } from "@/events/log/store";
import { type Timeline } from "@/events/history/timeline/timeline";

type Source = Pick<Store, "read">;
type Input = { timeline: Timeline | null; documentId: string; store: Source };

/** A longer history is not read for the sake of names. */
const longestSource = 5_000;

/**
 * What the logs of a source, and of its own sources, tell of what came from it; nothing where the
 * reader may not read all of it.
 */
async function askSource(
  store: Source,
  documentId: string,
  { source, upTo, versions }: SourceVersions,
): Promise<Attribution[]> {
  const read: ReadLog = async (stream, end) => {
    if (end > longestSource) return null;
    const rows = await store.read(stream, 0, end);
    return rows.length < end || rows.some(({ version }, index) => version !== index + 1)
      ? null
      : rows;
  };
  const [{ attributeThrough }, ...copyInRows] = await Promise.all([
    import("@/events/analysis/ancestry/ancestry"),
    ...versions.map((version) => store.read(documentId, version - 1, 1)),
  ]);
  return attributeThrough(
    copyInRows.flat().flatMap(({ update }) => update ?? []),
    { source, upTo },
    read,
  );
}

function useSources(timeline: Timeline | null): SourceVersions[] {
  const [sources, setSources] = useState<SourceVersions[]>([]);
  const now = useMemo(() => (timeline ? sourcesOf(timeline) : []), [timeline]);
  // A timeline is read anew with every pause in the writing; what came from elsewhere mostly stays what it was.
  if (JSON.stringify(now) === JSON.stringify(sources)) return sources;
  setSources(now);
  return now;
}

/** What of a document was written elsewhere; and by whom, as soon as the histories that tell it are read. */
export function useContentOrigin({ timeline, documentId, store }: Input): ContentOrigin | null {
  const [attributions, setAttributions] = useState<Attribution[]>([]);
  const sources = useSources(timeline);
  useEffect(() => {
    if (sources.length === 0) return;
    let stopped = false;
    // Where a history cannot be read, the page goes on saying that its writers are not known here.
    const answers = sources.map((each) =>
      askSource(store, documentId, each).catch((): Attribution[] => []),
    );
    void Promise.all(answers).then((all) => !stopped && setAttributions(all.flat()));
    return () => {
      stopped = true;
    };
  }, [sources, documentId, store]);
  return useMemo(
    () => timeline && new ContentOrigin(timeline, attributions),
    [timeline, attributions],
  );
}
