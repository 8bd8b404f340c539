import { rewritingOf } from "@/events/analysis/rewriting";
import { type Id, type Range } from "@/events/crdt/updates/yjs-update";
import { idOf, scriptOf } from "@/events/history/timeline/script";
import { type Timeline } from "@/events/history/timeline/timeline";

/** A stretch of letters, and where the first of them was written in the first place. */
export type FirstWritten = Range & { first: Id };

/**
 * Under which ids the letters of a range were first written in a history: a restore copies words, and so does an edit
 * that parts a block or joins two.
 */
export function firstWritten({ client, clock, length }: Range, timeline: Timeline): FirstWritten[] {
  const script = scriptOf(timeline);
  const rewriting = rewritingOf(timeline);
  const found: FirstWritten[] = [];
  for (let at = clock; at < clock + length; at += 1) {
    const own = script.placeOf(client, at);
    const origin = own && rewriting.originOf(own);
    const textblock = origin && script.textblocks[origin.textblock];
    const first = (textblock && idOf(textblock, origin.offset)) ?? { client, clock: at };
    const last = found.at(-1);
    if (
      last &&
      last.first.client === first.client &&
      last.first.clock + last.length === first.clock
    )
      last.length += 1;
    else found.push({ client, clock: at, length: 1, first });
  }
  return found;
}
