import { never } from "@/events/crdt/updates/lifespans";
import type { Block, DocumentJson } from "@/events/history/timeline/full-history-text";
import type { Timeline } from "@/events/history/timeline/timeline";

/**
 * The outcome of a block. A block may stand under another key, because a moved or retyped block is
 * rewritten as a new one. A deleted block last stood at `revision`, or last had words at `revision`
 * if it ever had any.
 */
type BlockOutcome =
  | { kind: "unknown" }
  | { kind: "stands"; key: string }
  | { kind: "deleted"; revision: number; actorId: string; time: number };

function wordsOf(nodes: readonly DocumentJson[]): string {
  return nodes.map(({ text, content }) => text ?? wordsOf(content ?? [])).join("");
}

/**
 * Returns the block with the same words that replaced this block in the same revision or was
 * restored later. Null if there is none.
 */
function successorOf({ blocks }: Pick<Timeline, "blocks">, gone: Block): Block | null {
  const words = wordsOf(gone.plainAt(gone.died - 1));
  if (words.trim() === "") return null;
  const copies = blocks.filter(
    (block) =>
      block.born >= gone.died &&
      block.died > block.born &&
      wordsOf(block.plainAt(block.born)) === words,
  );
  return copies.toSorted((one, other) => one.born - other.born)[0] ?? null;
}

/** Returns when a block last stood or, if it was emptied before its deletion, last had words. */
function lastMomentOf(block: Block): number {
  const last = block.died - 1;
  if (block.lettersAt(last) > 0) return last;
  const isEmptying = (change: number) => change <= last && block.lettersAt(change - 1) > 0;
  const emptied = block.changes.findLast(isEmptying);
  return emptied === undefined ? last : emptied - 1;
}

/** Follows a block from one copy to the next, up to the newest revision. */
export function outcomeOfBlock(timeline: Timeline, key: string): BlockOutcome {
  const first = timeline.blocks.find((block) => block.key === key);
  if (first === undefined) return { kind: "unknown" };
  let block = first;
  // Terminates: each copy is created after its predecessor was deleted.
  for (;;) {
    if (block.died === never) return { kind: "stands", key: block.key };
    const next = successorOf(timeline, block);
    if (next === null) break;
    block = next;
  }
  const { actorId, time } = timeline.revision(block.died);
  return { kind: "deleted", revision: lastMomentOf(block), actorId, time };
}
