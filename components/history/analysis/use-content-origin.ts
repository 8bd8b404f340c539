"use client";

import { useEffect, useMemo, useState } from "react";
import { sourcesOf } from "@/events/analysis/ancestry/ancestry";
import type { ReadLog, Source as SourceVersions } from "@/events/analysis/ancestry/ancestry";
import { ContentOrigin } from "@/events/analysis/lineage/copy-in";
import type { Attribution } from "@/events/analysis/lineage/lineage";
import type { Store } from "@/events/log/store";
import type { Timeline } from "@/events/history/timeline/timeline";

type Source = Pick<Store, "read">;
type Input = { timeline: Timeline | null; documentId: string; store: Source };

/** A source with more events is not read for its authors' names. */
const longestSource = 5_000;

/**
 * The attributions that a source's log, and its own sources, give for content copied from it; empty
 * when the reader may not read all of it.
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
  // The timeline is rebuilt after every pause in writing, mostly with the same sources.
  if (JSON.stringify(now) === JSON.stringify(sources)) return sources;
  setSources(now);
  return now;
}

/**
 * The origin of a document's imported content, with its authors once the source histories are read.
 */
export function useContentOrigin({ timeline, documentId, store }: Input): ContentOrigin | null {
  const [attributions, setAttributions] = useState<Attribution[]>([]);
  const sources = useSources(timeline);
  useEffect(() => {
    if (sources.length === 0) return;
    let stopped = false;
    // When a history cannot be read, its authors stay unknown.
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
