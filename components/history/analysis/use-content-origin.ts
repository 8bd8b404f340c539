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

/** The most events of a source that is read for the names of its authors. */
const longestSource = 5_000;

/**
 * Returns the attributions for content that was copied from a source, from the logs of the source
 * and of the sources of the source. Empty if the reader may not read all of these logs.
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

/** Returns the origin of imported content, with its authors once the source histories are read. */
export function useContentOrigin({ timeline, documentId, store }: Input): ContentOrigin | null {
  const [attributions, setAttributions] = useState<Attribution[]>([]);
  const sources = useSources(timeline);
  useEffect(() => {
    if (sources.length === 0) return;
    let stopped = false;
    // If a history cannot be read, its authors stay unknown.
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
