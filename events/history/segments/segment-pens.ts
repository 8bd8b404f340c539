import type { Sequence } from "@/events/history/sequence/sequence";
import { none } from "@/events/history/sequence/token-ids";
import type { UpdateParts } from "@/events/crdt/updates/yjs-update";

/**
 * One person's writing position: the last token that they wrote, its right neighbour, and the last
 * token that they erased.
 */
export type Pen = {
  client: number;
  last: number;
  right: number;
  erased: number;
  /** The first clock of the last struct of other edits, until it is looked up. */
  brought: number;
};

/**
 * The kinds of records in a segment: consecutively typed letters, consecutively erased letters, any
 * other edits.
 */
export const recordKind = { typing: 0, erasing: 1, parts: 2 } as const;
export const recordKinds = 4;

/**
 * The codes of a neighbour or an erased letter: relative to the pen, relative to the list itself,
 * explicit, or absent.
 */
export const neighbourCode = { last: 0, erased: 1, outright: 2, none: 3 } as const;
export const rightCode = { pen: 0, next: 1, outright: 2, none: 3 } as const;
export const typingBits = { client: 1, origin: 2, right: 8 } as const;
export const erasingBits = { forward: 1, place: 2 } as const;

/** The state that a segment's writer and reader both maintain while they walk the segment. */
export class Pens {
  private readonly pens = new Map<number, Pen>();
  private readonly sequence: Sequence;

  constructor(sequence: Sequence) {
    this.sequence = sequence;
  }

  /** Returns an author's pen. Everything before must already be in the sequence. */
  of(author: number): Pen {
    const pen = this.pens.get(author) ?? {
      client: none,
      last: none,
      right: none,
      erased: none,
      brought: none,
    };
    this.pens.set(author, pen);
    if (pen.brought !== none) {
      pen.last = this.sequence.ids.tokenAt(pen.client, pen.brought);
      pen.right = pen.last === none ? none : (this.sequence.right[pen.last] ?? none);
      pen.brought = none;
    }
    return pen;
  }

  /** Moves the pen behind the last struct that an edit of another kind inserted. */
  afterParts(pen: Pen, { blocks }: UpdateParts): void {
    pen.erased = none;
    const block = blocks.at(-1);
    const struct = block?.structs.at(-1);
    if (!block || !struct) return;
    pen.client = this.sequence.ids.numberOf(block.client);
    pen.brought = struct.clock + struct.length - 1;
  }
}

/** Returns the token right after another, or `none` if there is none. */
export function nextAfter(sequence: Sequence, origin: number): number {
  return origin === none ? none : (sequence.next[origin] ?? none);
}

/** Returns the left neighbour that the author of the erased letter saw. */
export function beforeErased(sequence: Sequence, { erased }: Pen): number {
  return erased === none ? none : (sequence.origin[erased] ?? none);
}
