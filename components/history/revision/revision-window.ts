import type { ContentOrigin } from "@/events/analysis/lineage/copy-in";
import type { Moves } from "@/events/analysis/lineage/moves";
import type { Block } from "@/events/history/timeline/full-history-text";
import type { PageView } from "@/events/history/timeline/text-page";
import type { Colour } from "@/components/history/playback/colour";
import type { Timeline } from "@/events/history/timeline/timeline";

/**
 * The parts of a history that look different at a revision. Text since `fresh` is fresh, and text
 * since `session` is tinted. Text that was inserted by `stood` and deleted after `struck` is
 * struck.
 */
export type RevisionWindow = {
  at: number;
  fresh: number;
  session: number;
  struck: number;
  stood: number;
  moving: boolean;
  tinting: Colour;
};

/**
 * How long text stays fresh and struck words stay visible, in ms of playing time, at rest and
 * during playback.
 */
const freshFor = { still: 2_500, moving: 1_200 };
const struckFor = { still: 8_000, moving: 3_000 };
/** The playing time in ms within which inserted letters fade together. */
const dryTogether = 200;

/** Returns the window of a revision. `moving` is for playback, and `isReturn` for a restore. */
export function windowAt(
  { timingMap, groupBefore }: Pick<Timeline, "timingMap" | "groupBefore">,
  at: number,
  tinting: Colour,
  moving: boolean,
  isReturn = false,
): RevisionWindow {
  // A window in which nothing is fresh or struck.
  const nothing = { at, fresh: at + 1, struck: at, stood: at, moving, tinting };
  if (tinting === "off") return { ...nothing, session: at + 1 };
  const session = timingMap.sessions[timingMap.sessionOf(at)]?.from ?? 0;
  // Restored text is shown without fresh or struck parts.
  if (isReturn && !moving) return { ...nothing, session: tinting === "all" ? 0 : session };
  const ago = (ms: number) => timingMap.revisionAt(timingMap.playedAt(at) - ms);
  const motion = moving ? "moving" : "still";
  // At rest, the whole last burst is marked. During playback, only the latest edit is marked.
  const group = moving ? at : groupBefore(at + 1);
  return {
    at,
    fresh: Math.max(session, Math.min(group, ago(freshFor[motion]))),
    session: tinting === "all" ? 0 : session,
    struck: Math.max(session, Math.min(ago(struckFor[motion]), group - 1)),
    // At rest, text that was inserted and deleted within one burst does not count as a change.
    // During playback, its deletion is shown.
    stood: moving ? at : Math.max(session, group - 1),
    moving,
    tinting,
  };
}

/**
 * Returns the view of a block in a window, in which letters with the same look share a run.
 * Restored text is not fresh, and text that a restore removed is not struck.
 */
export function viewOf(
  { at, fresh, session, struck, stood, moving, tinting }: RevisionWindow,
  { timingMap }: Pick<Timeline, "timingMap">,
  contentOrigin: Pick<ContentOrigin, "authorAt">,
  { returnAt }: Pick<Moves, "returnAt">,
): PageView {
  const isReturned = (revision: number) => returnAt(revision) !== null;
  const tint = (born: number, written: number) => {
    if (born < fresh && born < session) return "old";
    const author = contentOrigin.authorAt(tinting === "all" ? written : born);
    if (isReturned(born)) return tinting === "all" ? author : "old";
    if (born < fresh) return author;
    const together = moving ? Math.floor(timingMap.playedAt(born) / dryTogether) : 0;
    return born === at ? "now" : `fresh ${author} ${together}`;
  };
  return { at, struckSince: struck, struckIfBornBy: stood, isLeftOut: isReturned, tint };
}

/** Whether a block certainly looks the same in two windows. False means that it may differ. */
export function unchanged(
  block: Pick<Block, "quietBetween">,
  before: RevisionWindow,
  after: RevisionWindow,
): boolean {
  // Playback draws fresh and struck text differently, and other text the same.
  const since = Math.min(before.fresh - 1, before.struck, after.fresh - 1, after.struck);
  return (
    before.tinting === after.tinting &&
    (before.moving === after.moving || block.quietBetween(since, Math.max(before.at, after.at))) &&
    block.quietBetween(before.at, after.at) &&
    block.quietBetween(before.fresh - 1, after.fresh - 1) &&
    block.quietBetween(before.session - 1, after.session - 1) &&
    block.quietBetween(before.struck, after.struck) &&
    block.quietBetween(before.stood, after.stood)
  );
}
