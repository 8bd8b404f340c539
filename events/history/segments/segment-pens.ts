import type { Sequence } from "@/events/history/sequence/sequence";
import { none } from "@/events/history/sequence/token-ids";
import type { UpdateParts } from "@/events/crdt/updates/yjs-update";

/**
 * One person's writing position: what they wrote last, its right neighbour, and what they erased
 * last.
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
 * How a neighbour or an erased letter is encoded: from the pen, from the list itself, explicitly,
 * or as absent.
 */
export const neighbourCode = { last: 0, erased: 1, outright: 2, none: 3 } as const;
export const rightCode = { pen: 0, next: 1, outright: 2, none: 3 } as const;
export const typingBits = { client: 1, origin: 2, right: 8 } as const;
export const erasingBits = { forward: 1, place: 2 } as const;

/** State that a segment's writer and reader both keep while they walk it. */
export class Pens {
  private readonly pens = new Map<number, Pen>();
  private readonly sequence: Sequence;

  constructor(sequence: Sequence) {
    this.sequence = sequence;
  }

  /** An author's pen, once everything before is in the sequence. */
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

  /** After any other edit the pen stands behind the last struct that it inserted. */
  afterParts(pen: Pen, { blocks }: UpdateParts): void {
    pen.erased = none;
    const block = blocks.at(-1);
    const struct = block?.structs.at(-1);
    if (!block || !struct) return;
    pen.client = this.sequence.ids.numberOf(block.client);
    pen.brought = struct.clock + struct.length - 1;
  }
}

/** The token right after another, or the first in the list of its right neighbour. */
export function nextAfter(sequence: Sequence, origin: number): number {
  return origin === none ? none : (sequence.next[origin] ?? none);
}

/** The left neighbour that the author of the erased letter saw. */
export function beforeErased(sequence: Sequence, { erased }: Pen): number {
  return erased === none ? none : (sequence.origin[erased] ?? none);
}
