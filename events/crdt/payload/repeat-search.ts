import type { Ruled } from "@/events/core/envelope";
import { ByteReader } from "@/events/core/bytes/bytes";
import { structKind } from "@/events/crdt/updates/yjs-content";
import { kindOf } from "@/events/crdt/updates/yjs-update";
import type { Range, Struct, UpdateParts } from "@/events/crdt/updates/yjs-update";
import { Places } from "@/events/crdt/updates/places";
import { FileSearch } from "./file-search";
import { bareLetters, LetterGrams } from "./letter-grams";
import { attributeWords, bodyWords, redactableWords } from "./redactable-words";
import { repeats } from "./repeated-words";
import { editsOf } from "./row-edits";

type Row = Pick<
  Ruled,
  "version" | "type" | "subject" | "actorId" | "body" | "update" | "clientTime" | "redactedBy"
>;

/** Another event that holds the searched words. */
export type Repeating = {
  version: number;
  type: string;
  actorId: string;
  /** The event's text, beginning at the first of the searched words. */
  excerpt: string;
  /** The number of other letters that a redaction of the event would destroy. */
  others: number;
  /** Whether the event is a copy of the words with little else, which needs no confirmation. */
  surely: boolean;
  /**
   * Whether the text also names the file elsewhere, if the event recorded a file's bytes. Null for
   * any other event.
   */
  shown: boolean | null;
};

/** An n-gram of this size in the texts of two authors is no coincidence. */
const noChance = { least: 6, most: 12 };
/** Fewer letters suffice for a copy of the words, or for text inserted at their place. */
const copied = { least: 3, most: 6 };
/** Event types that restore text from any place. */
const copying: ReadonlySet<string> = new Set(["document.reverted", "document.reworked"]);

/**
 * A searched event. `letters` counts the letters that the event wrote, and `shared` the ones among
 * the searched words. `isKin`: the event copied the words, or the words were copied from the event.
 */
type Seen = {
  row: Pick<Row, "version" | "type" | "actorId">;
  words: string;
  letters: number;
  shared: number;
  quotes: boolean;
  isKin: boolean;
};
/**
 * The last letters that a client wrote, each with its event. They are kept because a save may end
 * in the middle of a word.
 */
type Tail = { letters: string; by: Seen[]; counted: boolean[] };

/**
 * Searches events, in order, for the words of one event: copies, quotes, and the same words typed
 * again.
 */
export class RepeatSearch {
  private readonly words: string;
  private readonly letters: string;
  private readonly typed: LetterGrams;
  private readonly near: LetterGrams;
  private readonly version: number;
  /** The places of the words and of their copies. */
  private readonly places = new Places();
  /**
   * The places that the words were inserted beside or replaced. The words may have been copied from
   * there.
   */
  private readonly origins = new Places();
  private readonly tails = new Map<number, Tail>();
  private readonly found = new Set<Seen>();
  private readonly files: FileSearch;

  constructor(own: Row) {
    this.files = new FileSearch(own);
    this.version = own.version;
    this.words = redactableWords(own);
    this.letters = bareLetters(this.words);
    const edits = editsOf(own);
    for (const edit of edits) {
      this.places.add(idsOf(edit));
      this.origins.add(touchedBy(edit));
    }
    // A typo that was fixed at once is in the event, but in no copy of the resulting text.
    const texts = [this.letters, bareLetters(standing(edits))];
    this.typed = new LetterGrams(texts, noChance.least, noChance.most);
    this.near = new LetterGrams(texts, copied.least, copied.most);
  }

  /** Reads the next event, which may also be the searched one. */
  take(row: Row): void {
    if (this.files.take(row)) return;
    const words = row.version === this.version ? "" : redactableWords(row);
    if (words === "") return;
    const edits = editsOf(row);
    const texts = bodyWords(row.body);
    const spoken = [
      ...texts.filter(({ key }) => key !== "quote").map(({ words }) => words),
      ...attributeWords(edits),
    ].map(bareLetters);
    const seen: Seen = {
      row,
      words,
      letters: spoken.reduce((sum, { length }) => sum + length, 0),
      shared: 0,
      quotes: false,
      isKin: edits.some((edit) => this.origins.meet(idsOf(edit))),
    };
    seen.quotes = texts.some(({ key, words }) => key === "quote" && repeats(words, this.words));
    const wide = spoken.reduce((sum, letters) => sum + this.typed.countIn(letters), 0);
    if (wide > 0) this.share(seen, wide);
    let near = 0;
    for (const edit of edits) {
      for (const { client, structs } of edit.blocks)
        for (const struct of structs) this.stream(client, bareLetters(textOf(struct)), seen);
      near += this.copiedBy(edit, row.type);
    }
    if (near > 0) {
      seen.isKin = true;
      this.share(seen, Math.max(0, near - seen.shared));
    }
    if (seen.quotes) this.found.add(seen);
  }

  /** Returns the events found so far, with the certain copies first. */
  results(): Repeating[] {
    const files = this.files.results().map(({ row, name, shown }): Repeating => {
      const { version, type, actorId } = row;
      return { version, type, actorId, excerpt: name, others: 0, surely: !shown, shown };
    });
    const texts = [...this.found].map((seen): Repeating => {
      const { row, letters, shared, quotes, isKin } = seen;
      const others = Math.max(0, letters - shared);
      const known =
        quotes ||
        shared >= noChance.most ||
        (isKin && shared >= Math.min(noChance.least, this.letters.length));
      return {
        version: row.version,
        type: row.type,
        actorId: row.actorId,
        excerpt: this.excerptOf(seen),
        others,
        surely: known && others * 4 <= shared,
        shown: null,
      };
    });
    return [...files, ...texts].sort(
      (one, other) => Number(other.surely) - Number(one.surely) || one.version - other.version,
    );
  }

  private share(seen: Seen, letters: number): void {
    seen.shared += letters;
    this.found.add(seen);
  }

  /** Searches a client's next letters, continuing its text across event boundaries. */
  private stream(client: number, letters: string, seen: Seen): void {
    if (letters === "") return;
    seen.letters += letters.length;
    const tail = this.tails.get(client);
    const all = (tail?.letters ?? "") + letters;
    const by = [...(tail?.by ?? []), ...new Array<Seen>(letters.length).fill(seen)];
    const counted = [...(tail?.counted ?? []), ...new Array<boolean>(letters.length).fill(false)];
    for (const at of this.typed.placesIn(all)) {
      for (let place = at; place < at + this.typed.size; place += 1) {
        const holder = by[place];
        if (holder && !counted[place]) this.share(holder, 1);
        counted[place] = true;
      }
    }
    const tailStart = Math.max(0, all.length - Math.max(0, this.typed.size - 1));
    this.tails.set(client, {
      letters: all.slice(tailStart),
      by: by.slice(tailStart),
      counted: counted.slice(tailStart),
    });
  }

  /**
   * Counts the letters that an edit copied from the words. The edit must insert several letters at
   * once, and either restore text or touch the words or their source.
   */
  private copiedBy(edit: UpdateParts, type: string): number {
    const letters = bareLetters(
      edit.blocks
        .flatMap(({ structs }) => structs)
        .map(textOf)
        .join(""),
    );
    if (letters.length < copied.least) return 0;
    const ids = idsOf(edit);
    const isNear = copying.has(type) || this.places.meet(touchedBy(edit)) || this.origins.meet(ids);
    if (!isNear) return 0;
    const count =
      letters.length < this.near.size
        ? this.letters.includes(letters)
          ? letters.length
          : 0
        : this.near.countIn(letters);
    if (count > 0) this.places.add(ids);
    return count;
  }

  private excerptOf({ words }: Seen): string {
    const places: number[] = [];
    let letters = "";
    for (let at = 0; at < words.length; at += 1) {
      const bare = bareLetters(words.charAt(at));
      for (let letter = 0; letter < bare.length; letter += 1) places.push(at);
      letters += bare;
    }
    const [first] = [this.typed, this.near].flatMap(
      (grams) => grams.placesIn(letters).next().value ?? [],
    );
    return words.slice(first === undefined ? 0 : places[first]);
  }
}

function idsOf({ blocks }: UpdateParts): Range[] {
  return blocks.flatMap(({ client, structs }) =>
    structs.map(({ clock, length }) => ({ client, clock, length })),
  );
}

/** Returns the ranges that an edit depends on or deletes. */
function touchedBy({ blocks, deletes }: UpdateParts): Range[] {
  const besides = blocks
    .flatMap(({ structs }) => structs.flatMap(({ origin, rightOrigin }) => [origin, rightOrigin]))
    .filter((id) => id !== null);
  return [
    ...besides.map((id) => ({ ...id, length: 1 })),
    ...deletes.flatMap(({ client, ranges }) => ranges.map((range) => ({ client, ...range }))),
  ];
}

function textOf(struct: Struct): string {
  return kindOf(struct) === structKind.string
    ? new TextDecoder().decode(new ByteReader(struct.content).block())
    : "";
}

/** Returns the text that edits insert and do not delete again. */
function standing(edits: readonly UpdateParts[]): string {
  const gone = new Places();
  for (const { deletes } of edits)
    gone.add(
      deletes.flatMap(({ client, ranges }) => ranges.map((range) => ({ client, ...range }))),
    );
  const letters = function* (client: number, struct: Struct) {
    for (const [at, letter] of [...textOf(struct).split("").entries()])
      if (!gone.meet([{ client, clock: struct.clock + at, length: 1 }])) yield letter;
  };
  return edits
    .flatMap(({ blocks }) =>
      blocks.flatMap(({ client, structs }) =>
        structs.map((struct) => [...letters(client, struct)].join("")),
      ),
    )
    .join("");
}
