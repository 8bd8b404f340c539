import { never } from "@/events/crdt/updates/lifespans";
import { type Block, type DocumentJson } from "@/events/history/timeline/full-history-text";
import { type Timeline } from "@/events/history/timeline/timeline";

/**
 * What became of a block: it stands, perhaps under another key, for a block that is moved or made
 * another kind of block is written anew; or it went, and stood last, with words if it ever had any,
 * at `revision`.
 */
type BlockOutcome =
  | { kind: "unknown" }
  | { kind: "stands"; key: string }
  | { kind: "deleted"; revision: number; actorId: string; time: number };

function wordsOf(nodes: readonly DocumentJson[]): string {
  return nodes.map(({ text, content }) => text ?? wordsOf(content ?? [])).join("");
}

/** The block that came with the same words when this one went, or, undone or restored, later. */
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

/** When a block stood last; one that was emptied before it went, when it had words. */
function lastMomentOf(block: Block): number {
  const last = block.died - 1;
  if (block.lettersAt(last) > 0) return last;
  const isEmptying = (change: number) => change <= last && block.lettersAt(change - 1) > 0;
  const emptied = block.changes.findLast(isEmptying);
  return emptied === undefined ? last : emptied - 1;
}

/** Follows a block from one copy of it to the next, up to the newest revision. */
export function outcomeOfBlock(timeline: Timeline, key: string): BlockOutcome {
  const first = timeline.blocks.find((block) => block.key === key);
  if (first === undefined) return { kind: "unknown" };
  let block = first;
  // A copy is born after the one before it went, so this ends.
  for (;;) {
    if (block.died === never) return { kind: "stands", key: block.key };
    const next = successorOf(timeline, block);
    if (next === null) break;
    block = next;
  }
  const { actorId, time } = timeline.revision(block.died);
  return { kind: "deleted", revision: lastMomentOf(block), actorId, time };
}
