import { type CopyIn, contentOriginOf } from "@/events/analysis/lineage/copy-in";
import { continuedRuns } from "@/events/analysis/lineage/continued-runs";
import { linked, type Links, linksOf } from "./links";
import { returnedRuns } from "@/events/analysis/returned-runs";
import { rewrittenRuns, type RewrittenRun } from "@/events/analysis/rewritten-runs";
import { never } from "@/events/crdt/updates/lifespans";
import { scriptOf } from "@/events/history/timeline/script";
import { type Timeline } from "@/events/history/timeline/timeline";

/** What a rewriting is made of, as a worker hands it over. */
export type RewritingData = {
  sources: Links;
  copies: Links;
  returns: Links;
  returned: Links;
  /** What returned characters were copied from, which need not be what their letter was last. */
  returnSources: Links;
  /** Of each revision that made copies, how many. */
  counts: ReadonlyMap<number, number>;
};

/**
 * Finds which characters of a history are copies of others; of a long one that takes its time. What an event carried
 * here is a copy of nothing here, but for events that `isRewriting` names.
 */
export function rewritingDataOf(
  timeline: Timeline,
  isRewriting: (copyIn: CopyIn) => boolean = () => false,
): RewritingData {
  const script = scriptOf(timeline);
  const contentOrigin = contentOriginOf(timeline);
  const found = returnedRuns(timeline, script);
  const backwards = (all: readonly RewrittenRun[]) =>
    linksOf(all.map(({ from, to, length }) => ({ at: to, to: from, length })));
  const forwards = (all: readonly RewrittenRun[]) =>
    linksOf(all.map(({ from, to, length }) => ({ at: from, to, length })));
  const isReturned = backwards(found);
  // What was carried here was written elsewhere, whatever went to make room for it; and what
  // returns was not taken from what goes for it.
  const isFree = found.length === 0 ? null : (at: number) => linked(isReturned, at) === null;
  const runs = rewrittenRuns(
    timeline,
    script,
    (revision) => {
      const copyIn = contentOrigin.copyInAt(revision);
      return copyIn === null || isRewriting(copyIn);
    },
    isFree,
    (revision) => contentOrigin.copyInAt(revision) !== null,
  );
  const returned = continuedRuns({
    returned: found,
    rewritten: runs,
    length: timeline.historyText.columns.runs.length,
    diedAt: (at) => {
      const { textblock, offset } = script.placeAt(at);
      return script.textblocks[textblock]?.died[offset] ?? never;
    },
  });
  const counts = new Map<number, number>();
  for (const { revision, length } of [...returned, ...runs])
    counts.set(revision, (counts.get(revision) ?? 0) + length);
  return {
    sources: backwards([...returned, ...runs]),
    copies: forwards(runs),
    returns: backwards(returned),
    returned: forwards(returned.filter(({ isLinear }) => isLinear)),
    returnSources: isReturned,
    counts,
  };
}
