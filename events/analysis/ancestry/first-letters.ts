import { rewritingOf } from "@/events/analysis/rewriting";
import type { Id, Range } from "@/events/crdt/updates/yjs-update";
import { idOf, scriptOf } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";

/** A range of letters, and the id under which its first letter was originally written. */
export type FirstWritten = Range & { first: Id };

/**
 * Returns the ids under which a range's letters were originally written in a history. Restores copy
 * words, and so do edits that split a block or join two blocks.
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
