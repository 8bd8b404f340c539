import { scriptOf, standsAt, idOf } from "@/events/history/timeline/script";
import type { Script } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";
import { whereIs } from "./anchor";
import type { Anchor, CharacterId } from "./anchor";
import type { AnchorOutcome, KnownClocks } from "./anchor-memory";
import type { Copies } from "./continuation";
import { pastText } from "./past-anchor";
import type { Spot } from "@/events/crdt/updates/letters";

/**
 * The outcomes of anchors' words at the newest revision of a history, and the letters that this
 * history holds.
 */
export type AnchorAnswers = {
  answers: { anchor: Anchor; outcome: AnchorOutcome }[];
  known: KnownClocks;
};

/** Returns the character that stands at a position, or null if there is none. */
function standingAt(
  { textblocks }: Script,
  { textblock, offset }: Spot,
  at: number,
): CharacterId | null {
  const own = textblocks[textblock];
  let left = offset;
  for (let place = 0; own && place < own.text.length; place += 1) {
    if (!standsAt(own, place, at)) continue;
    if (left === 0) return idOf(own, place);
    left -= 1;
  }
  return null;
}

export function anchorOutcomes(
  timeline: Timeline,
  copies: Copies,
  anchors: readonly Anchor[],
): AnchorAnswers {
  const script = scriptOf(timeline);
  const newest = timeline.length - 1;
  const text = pastText(timeline, copies, newest);
  const answers = anchors.map((anchor) => {
    const where = whereIs(anchor, text);
    if (where.state === "gone") return { anchor, outcome: null };
    const { from, to } = where;
    const first = standingAt(script, from, newest);
    const last = standingAt(script, { ...to, offset: to.offset - 1 }, newest);
    return { anchor, outcome: first && last && { first, last } };
  });
  const known = new Map<number, number>();
  const { runs } = timeline.historyText.columns;
  for (const [client, { clocks, runs: own }] of script.clientRuns()) {
    const run = own.at(-1) ?? 0;
    const length = (runs.start[run + 1] ?? runs.length) - (runs.start[run] ?? 0);
    known.set(client, (clocks.at(-1) ?? 0) + length);
  }
  return { answers, known };
}
