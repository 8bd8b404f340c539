import { contentOriginOf } from "@/events/analysis/lineage/copy-in";
import type { ContentOrigin, CopyIn, ImportedPassage } from "@/events/analysis/lineage/copy-in";
import { LetterChains } from "@/events/analysis/rewritten/letter-chains";
import { returnIn } from "@/events/analysis/lineage/lifeline";
import type { Turn } from "@/events/analysis/lineage/lifeline";
import { linked, touches } from "@/events/analysis/rewritten/links";
import { rewritingDataOf } from "@/events/analysis/rewritten/rewriting-data";
import type { RewritingData } from "@/events/analysis/rewritten/rewriting-data";
import { never } from "@/events/crdt/updates/lifespans";
import type { Textblock } from "@/events/history/timeline/full-history-text";
import { idOf, scriptOf } from "@/events/history/timeline/script";
import type { TextblockHistory, Place, Script } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";

/**
 * When each character of a textblock was first written, and when its last copy was deleted.
 * `copied` marks the characters that are copies, and is null if there are none. `gone` is when the
 * letter was finally deleted: `never` if it stands, also if a restore has moved it.
 */
export type Lives = {
  born: Uint32Array;
  died: Uint32Array;
  gone: Uint32Array;
  copied: Uint8Array | null;
};

/**
 * The characters of a history that are copies of others. An editor that splits a paragraph or turns
 * it into a list deletes words and writes them again, but the words still belong to their writer.
 * So do restored words. The origin of a copy is the character that it was originally copied from.
 */
export class Rewriting {
  /** The data that this object is built from. */
  readonly data: RewritingData;
  /** The number of copies that each copying revision made. */
  readonly counts: ReadonlyMap<number, number>;
  /** The successive characters of each letter. */
  readonly letters: LetterChains;
  /**
   * Whether a revision moved words without writing or deleting any: a restore, an undo, a merge.
   */
  readonly isMove: (revision: number) => boolean;
  /** Whether a revision belongs to an undone restore, or to the undo of a restore. */
  readonly isUndone: (revision: number) => boolean;
  private readonly script: Script;
  private readonly known = new Map<TextblockHistory, Lives>();
  private readonly clients = new Map<string, { client: number; length: number }[]>();

  constructor(timeline: Timeline, data: RewritingData) {
    this.data = data;
    this.counts = data.counts;
    this.script = scriptOf(timeline);
    this.letters = new LetterChains(timeline, data);
    this.isMove = this.letters.isMove;
    this.isUndone = this.letters.isUndone;
  }

  /**
   * Returns the place of the character that this one was copied from, or its own if it is no copy.
   */
  originOf({ textblock, offset }: Place): Place {
    const own = this.script.textblocks[textblock];
    if (!own || !touches(this.data.sources, own.start + offset, own.start + offset + 1))
      return { textblock, offset };
    return this.script.placeAt(this.letters.firstOf(own.start + offset));
  }

  /** Returns where a letter, or a copy of it, stood at a revision. Null if it did not stand. */
  stoodAt(textblock: TextblockHistory, offset: number, revision: number): Place | null {
    const at = textblock.start + offset;
    const chain =
      this.touches(textblock, "source") || this.touches(textblock, "copy")
        ? this.letters.chainOf(at)
        : [at];
    const stood = chain.find(
      (each) =>
        this.letters.lifeAt(each, "born") <= revision &&
        this.letters.lifeAt(each, "died") > revision,
    );
    return stood === undefined ? null : this.script.placeAt(stood);
  }

  /**
   * Returns the latest revision that restored a letter after a person had deleted it. Null if there
   * is none, or if a restore removed the letter and the restore's undo returned it.
   */
  returnOf({ textblock, offset }: Place): number | null {
    const own = this.script.textblocks[textblock];
    if (!own || this.data.returns.at.length === 0 || !this.touches(own, "source")) return null;
    return returnIn(this.letters.settledAt(own.start + offset, never));
  }

  /**
   * Returns the final removal of a letter up to a revision, and whether a person deleted it. Null
   * if the letter stands.
   */
  endOf(textblock: TextblockHistory, offset: number, to: number): Turn | null {
    const last = this.letters.settledAt(textblock.start + offset, to).at(-1);
    return last && !last.comes ? last : null;
  }

  /** Returns the import of a character or of its origin, or null if it was written here. */
  importedAt(place: Place, contentOrigin: ContentOrigin): ImportedPassage | null {
    const { textblock, offset } = this.originOf(place);
    const own = this.script.textblocks[textblock];
    return own ? contentOrigin.of(own, offset) : null;
  }

  /**
   * Returns the Yjs clients that originally wrote a run of characters with consecutive clocks, in
   * order. The result is cached, because a page needs it at every typed letter.
   */
  clientsOf(
    client: number,
    clock: number,
    length: number,
  ): readonly { client: number; length: number }[] {
    const key = `${client}:${clock}:${length}`;
    const made = this.clients.get(key) ?? this.readClients(client, clock, length);
    this.clients.set(key, made);
    return made;
  }

  /**
   * Returns when each character that ever stood in a textblock of the page was first written, in
   * order. Null if none of the characters is a copy.
   */
  birthsIn({ pieces }: Textblock): Uint32Array | null {
    const first = pieces.find((piece) => piece.kind === "textRun");
    const place = first && this.script.placeOf(first.client, first.clock);
    const textblock = place && this.script.textblocks[place.textblock];
    return textblock && this.touches(textblock, "source") ? this.livesOf(textblock).born : null;
  }

  /** Whether any character of a textblock was copied from others, or to others. */
  touches(textblock: TextblockHistory | undefined, side: "source" | "copy"): boolean {
    if (textblock === undefined) return false;
    const [from, to] = [textblock.start, textblock.start + textblock.text.length];
    return side === "source"
      ? touches(this.data.sources, from, to)
      : touches(this.data.copies, from, to) || touches(this.data.returned, from, to);
  }

  /** Returns the place of the character's source (or copy), or null if it has none. */
  neighbourOf({ textblock, offset }: Place, side: "source" | "copy"): Place | null {
    const own = (this.script.textblocks[textblock]?.start ?? 0) + offset;
    const at =
      side === "source"
        ? linked(this.data.sources, own)
        : (linked(this.data.copies, own) ?? linked(this.data.returned, own));
    return at === null ? null : this.script.placeAt(at);
  }

  /** Returns the lives of a textblock's characters, followed through all their copies. */
  livesOf(textblock: TextblockHistory): Lives {
    if (!this.touches(textblock, "source") && !this.touches(textblock, "copy")) {
      const { born, died } = textblock;
      return { born, died, gone: died, copied: null };
    }
    const made = this.known.get(textblock) ?? this.read(textblock, textblock.start);
    this.known.set(textblock, made);
    return made;
  }

  private readClients(
    client: number,
    clock: number,
    length: number,
  ): { client: number; length: number }[] {
    const place = this.script.placeOf(client, clock);
    if (!place || !this.touches(this.script.textblocks[place.textblock], "source"))
      return [{ client, length }];
    const found: { client: number; length: number }[] = [];
    for (let at = clock; at < clock + length; at += 1) {
      const own = this.script.placeOf(client, at);
      const origin = own && this.originOf(own);
      const textblock = origin && this.script.textblocks[origin.textblock];
      const writer = (textblock && idOf(textblock, origin.offset)?.client) ?? client;
      const last = found.at(-1);
      if (last?.client === writer) last.length += 1;
      else found.push({ client: writer, length: 1 });
    }
    return found;
  }

  private read(textblock: TextblockHistory, from: number): Lives {
    const [born, died, gone, copied] = [
      textblock.born.slice(),
      textblock.died.slice(),
      textblock.died.slice(),
      new Uint8Array(textblock.text.length),
    ];
    for (let offset = 0; offset < copied.length; offset += 1) {
      const at = from + offset;
      const [first, last] = [this.letters.firstOf(at), this.letters.lastOf(at)];
      if (first !== at) {
        born[offset] = this.letters.lifeAt(first, "born");
        copied[offset] = 1;
      }
      if (last !== at) died[offset] = this.letters.lifeAt(last, "died");
      if (died[offset] !== never && (first !== at || linked(this.data.returned, last) !== null))
        gone[offset] = this.endOf(textblock, offset, never)?.revision ?? never;
      else gone[offset] = died[offset] ?? never;
    }
    return { born, died, gone, copied };
  }
}

const rewritings = new WeakMap<Timeline, Rewriting>();

/** Returns the characters of a timeline that are copies of others. Computed on first use. */
export function rewritingOf(timeline: Timeline): Rewriting {
  return rewritings.get(timeline) ?? rewritingFrom(timeline, rewritingDataOf(timeline));
}

/** Sets a timeline's rewriting from data that another thread has computed. */
export function rewritingFrom(timeline: Timeline, data: RewritingData): Rewriting {
  const made = new Rewriting(timeline, data);
  rewritings.set(timeline, made);
  return made;
}

const throughMerges = new WeakMap<Timeline, Rewriting>();

/**
 * Returns a rewriting that also follows text through merges: words that a merge deletes and inserts
 * again were restored or rewritten in a fork. It does not determine who wrote merged text, because
 * only the fork's log does.
 */
export function rewritingThroughMerges(timeline: Timeline): Rewriting {
  const known = throughMerges.get(timeline);
  if (known) return known;
  const isMerge = ({ type }: CopyIn) => type === "document.merged";
  const made = contentOriginOf(timeline).copyIns.some(isMerge)
    ? new Rewriting(timeline, rewritingDataOf(timeline, isMerge))
    : rewritingOf(timeline);
  throughMerges.set(timeline, made);
  return made;
}
