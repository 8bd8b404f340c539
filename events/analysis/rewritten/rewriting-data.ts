import { contentOriginOf } from "@/events/analysis/lineage/copy-in";
import type { CopyIn } from "@/events/analysis/lineage/copy-in";
import { continuedRuns } from "@/events/analysis/lineage/continued-runs";
import { linked, linksOf } from "./links";
import type { Links } from "./links";
import { returnedRuns } from "@/events/analysis/returned-runs";
import { rewrittenRuns } from "@/events/analysis/rewritten-runs";
import type { RewrittenRun } from "@/events/analysis/rewritten-runs";
import { never } from "@/events/crdt/updates/lifespans";
import { scriptOf } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";

/** The data of a `Rewriting`, in the form in which a worker transfers it. */
export type RewritingData = {
  sources: Links;
  copies: Links;
  returns: Links;
  returned: Links;
  /** The sources of returned characters, which need not be the latest of their letter. */
  returnSources: Links;
  /** The number of copies that each copying revision made. */
  counts: ReadonlyMap<number, number>;
};

/**
 * Finds the characters of a history that are copies of others, which is slow for a long history.
 * Copied-in content is never a copy, except for copy-ins that `isRewriting` accepts.
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
  // Copied-in text was written elsewhere, even if text was deleted to make room for it. Returned
  // text is no copy of the text that it replaces.
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
