import { type ContentOrigin } from "@/events/analysis/lineage/copy-in";
import { type Moves } from "@/events/analysis/lineage/moves";
import { type Block } from "@/events/history/timeline/full-history-text";
import { type PageView } from "@/events/history/timeline/text-page";
import { type Colour } from "@/components/history/playback/colour";
import { type Timeline } from "@/events/history/timeline/timeline";

/**
 * What of a history is seen at a revision: what came since `fresh` is wet and what came since
 * `session` is tinted; what went after `struck`, and had come by `stood`, is struck.
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
 * How long, in the player's time, writing is fresh and what was struck stays to be read: at rest,
 * and while it plays.
 */
const freshFor = { still: 2_500, moving: 1_200 };
const struckFor = { still: 8_000, moving: 3_000 };
/** Letters that came within this much playing time dry as one. */
const dryTogether = 200;

/** What is seen at a revision; `moving` while it plays, `isReturn` where it restored something. */
export function windowAt(
  { timingMap, groupBefore }: Pick<Timeline, "timingMap" | "groupBefore">,
  at: number,
  tinting: Colour,
  moving: boolean,
  isReturn = false,
): RevisionWindow {
  // Nothing has come since a revision that is not yet shown, and nothing has gone.
  const nothing = { at, fresh: at + 1, struck: at, stood: at, moving, tinting };
  if (tinting === "off") return { ...nothing, session: at + 1 };
  const session = timingMap.sessions[timingMap.sessionOf(at)]?.from ?? 0;
  // A restored page is shown as it stands.
  if (isReturn && !moving) return { ...nothing, session: tinting === "all" ? 0 : session };
  const ago = (ms: number) => timingMap.revisionAt(timingMap.playedAt(at) - ms);
  const motion = moving ? "moving" : "still";
  // At rest one sees what the last stretch of writing came to; while it plays, only what has just happened.
  const group = moving ? at : groupBefore(at + 1);
  return {
    at,
    fresh: Math.max(session, Math.min(group, ago(freshFor[motion]))),
    session: tinting === "all" ? 0 : session,
    struck: Math.max(session, Math.min(ago(struckFor[motion]), group - 1)),
    // At rest a slip that was mended in one go is no change; while it plays, one sees it go.
    stood: moving ? at : Math.max(session, group - 1),
    moving,
    tinting,
  };
}

/**
 * How a block is read for a window: letters that look and dry alike share a run. What a restore
 * brought is no new writing, and what it took away is not struck.
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

/** Whether a block looks the same in two windows; where it says no, it may do so all the same. */
export function unchanged(
  block: Pick<Block, "quietBetween">,
  before: RevisionWindow,
  after: RevisionWindow,
): boolean {
  // Playing shows what is fresh and what was struck in another way, and the rest as it stands.
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
