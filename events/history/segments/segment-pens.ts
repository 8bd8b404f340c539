import { type Sequence } from "@/events/history/sequence/sequence";
import { none } from "@/events/history/sequence/token-ids";
import { type UpdateParts } from "@/events/crdt/updates/yjs-update";

/** Where one person's writing stands: what they wrote last, before what, and what they erased last. */
export type Pen = {
  client: number;
  last: number;
  right: number;
  erased: number;
  /** The clock of what other edits brought last, until it is looked up. */
  brought: number;
};

/**
 * The kinds of records in a segment: letters typed one after the other, letters erased one after
 * the other, any other edits.
 */
export const recordKind = { typing: 0, erasing: 1, parts: 2 } as const;
export const recordKinds = 4;

/**
 * How a neighbour or an erased letter is told: by what the pen knows, by the list itself, outright,
 * or that there is none.
 */
export const neighbourCode = { last: 0, erased: 1, outright: 2, none: 3 } as const;
export const rightCode = { pen: 0, next: 1, outright: 2, none: 3 } as const;
export const typingBits = { client: 1, origin: 2, right: 8 } as const;
export const erasingBits = { forward: 1, place: 2 } as const;

/** What writer and reader of a segment both remember while they walk it. */
export class Pens {
  private readonly pens = new Map<number, Pen>();
  private readonly sequence: Sequence;

  constructor(sequence: Sequence) {
    this.sequence = sequence;
  }

  /** An author's pen, when everything before is in the sequence. */
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

  /** After any other edit the pen stands behind the last thing that it brought. */
  afterParts(pen: Pen, { blocks }: UpdateParts): void {
    pen.erased = none;
    const block = blocks.at(-1);
    const struct = block?.structs.at(-1);
    if (!block || !struct) return;
    pen.client = this.sequence.ids.numberOf(block.client);
    pen.brought = struct.clock + struct.length - 1;
  }
}

/** What comes right behind a token, or first in the list of what is to its right. */
export function nextAfter(sequence: Sequence, origin: number): number {
  return origin === none ? none : (sequence.next[origin] ?? none);
}

/** The token that the writer of an erased letter saw before it. */
export function beforeErased(sequence: Sequence, { erased }: Pen): number {
  return erased === none ? none : (sequence.origin[erased] ?? none);
}
