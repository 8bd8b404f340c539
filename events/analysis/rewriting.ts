import { returnedRuns } from "./returned-runs";
import { rewrittenRuns, type RewrittenRun } from "./rewritten-runs";
import { continuedRuns } from "@/events/analysis/lineage/continued-runs";
import { returnIn, settledTurns, type Turn } from "@/events/analysis/lineage/lifeline";
import { movesOf } from "@/events/analysis/lineage/moves";
import { returnsOf, undoneReturns } from "@/events/analysis/lineage/returns";
import {
  type ImportedPassage,
  type ContentOrigin,
  contentOriginOf,
} from "@/events/analysis/lineage/copy-in";
import { lastUpTo } from "@/events/core/binary-search";
import { never } from "@/events/crdt/updates/lifespans";
import { type Textblock } from "@/events/history/timeline/full-history-text";
import {
  idOf,
  type TextblockHistory,
  type Place,
  type Script,
  scriptOf,
} from "@/events/history/timeline/script";
import { type Timeline } from "@/events/history/timeline/timeline";

/**
 * When each character of a textblock was first written, and when the last that was made of it went;
 * `copied` where it is not the first itself, null where none is. `gone` is when its letter went for
 * good: `never` where it stands, wherever a restore has put it.
 */
export type Lives = {
  born: Uint32Array;
  died: Uint32Array;
  gone: Uint32Array;
  copied: Uint8Array | null;
};

/** Runs of characters and what each belongs to, ascending by `at`. */
type Links = { at: Uint32Array; length: Uint32Array; to: Uint32Array };

function linksOf(runs: readonly { at: number; length: number; to: number }[]): Links {
  const sorted = runs.toSorted((one, other) => one.at - other.at);
  return {
    at: Uint32Array.from(sorted, ({ at }) => at),
    length: Uint32Array.from(sorted, ({ length }) => length),
    to: Uint32Array.from(sorted, ({ to }) => to),
  };
}

function linked({ at: starts, length, to }: Links, at: number): number | null {
  const run = lastUpTo(starts, at);
  const within = at - (starts[run] ?? 0);
  return run >= 0 && within < (length[run] ?? 0) ? (to[run] ?? 0) + within : null;
}

function touches({ at: starts, length }: Links, from: number, to: number): boolean {
  const run = lastUpTo(starts, to - 1);
  return run >= 0 && (starts[run] ?? 0) + (length[run] ?? 0) > from;
}

/** What a rewriting is made of, as a worker hands it over. */
export type RewritingData = {
  sources: Links;
  copies: Links;
  returns: Links;
  returned: Links;
  /** What returned characters were copied from, which need not be what their letter was last. */
  returnSources: Links;
  /** Of each revision that made copies, how many. */
  counts: ReadonlyMap<number, number>;
};

/** Finds which characters of a history are copies of others; of a long one that takes its time. */
function rewritingDataOf(timeline: Timeline): RewritingData {
  const script = scriptOf(timeline);
  const contentOrigin = contentOriginOf(timeline);
  const found = returnedRuns(timeline, script);
  const backwards = (all: readonly RewrittenRun[]) =>
    linksOf(all.map(({ from, to, length }) => ({ at: to, to: from, length })));
  const forwards = (all: readonly RewrittenRun[]) =>
    linksOf(all.map(({ from, to, length }) => ({ at: from, to, length })));
  const isReturned = backwards(found);
  // What was carried here was written elsewhere, whatever went to make room for it; and what
  // returns was not taken from what goes for it.
  const isFree = found.length === 0 ? null : (at: number) => linked(isReturned, at) === null;
  const runs = rewrittenRuns(
    timeline,
    script,
    (revision) => contentOrigin.copyInAt(revision) === null,
    isFree,
  );
  const returned = continuedRuns({
    returned: found,
    rewritten: runs,
    length: timeline.historyText.columns.runs.length,
    diedAt: (at) => {
      const { textblock, offset } = script.placeAt(at);
      return script.textblocks[textblock]?.died[offset] ?? never;
    },
  });
  const counts = new Map<number, number>();
  for (const { revision, length } of [...returned, ...runs])
    counts.set(revision, (counts.get(revision) ?? 0) + length);
  return {
    sources: backwards([...returned, ...runs]),
    copies: forwards(runs),
    returns: backwards(returned),
    returned: forwards(returned.filter(({ isLinear }) => isLinear)),
    returnSources: isReturned,
    counts,
  };
}

/**
 * Which characters of a history are copies of others: an editor that parts a paragraph or makes it
 * a list deletes words and writes them again, and they are still the words of whoever wrote them;
 * so are words that are restored. A copy's origin is the character it was copied from in the first
 * place.
 */
export class Rewriting {
  /** What it is made of. */
  readonly data: RewritingData;
  /** Of each revision that made copies, how many. */
  readonly counts: ReadonlyMap<number, number>;
  private readonly script: Script;
  private readonly sources: Links;
  private readonly copies: Links;
  private readonly returns: Links;
  private readonly returned: Links;
  private readonly length: number;
  private readonly known = new Map<TextblockHistory, Lives>();
  private readonly turns = new Map<number, Turn[]>();
  /** The first character of each letter, plus one, as far as it was asked for. */
  private heads: Uint32Array | null = null;
  /** Whether a revision is of a restore that was undone, or of what undid it. */
  readonly isUndone: (revision: number) => boolean;
  private readonly clients = new Map<string, { client: number; length: number }[]>();

  constructor(timeline: Timeline, data: RewritingData) {
    this.data = data;
    this.script = scriptOf(timeline);
    this.length = timeline.historyText.columns.runs.length;
    this.isMove = movesOf(timeline).isMove;
    this.isUndone = undoneReturns(returnsOf(timeline));
    this.counts = data.counts;
    this.sources = data.sources;
    this.copies = data.copies;
    this.returns = data.returns;
    this.returned = data.returned;
  }

  /** The place of the character that one was copied from in the first place: its own where it is no copy. */
  originOf({ textblock, offset }: Place): Place {
    const own = this.script.textblocks[textblock];
    if (!own || !touches(this.sources, own.start + offset, own.start + offset + 1))
      return { textblock, offset };
    return this.script.placeAt(this.firstOf(own.start + offset));
  }

  /** Where a letter stood at a revision, as whatever copy of it; null where it did not. */
  stoodAt(textblock: TextblockHistory, offset: number, revision: number): Place | null {
    const at = textblock.start + offset;
    const chain =
      this.touches(textblock, "source") || this.touches(textblock, "copy")
        ? this.chainOf(at)
        : [at];
    const stood = chain.find(
      (each) => this.lifeAt(each, "born") <= revision && this.lifeAt(each, "died") > revision,
    );
    return stood === undefined ? null : this.script.placeAt(stood);
  }

  /** Whether a revision moved words without writing or deleting any: a restore, an undo, a merge. */
  readonly isMove: (revision: number) => boolean;

  /**
   * The revision at which a letter was brought back after somebody had deleted it, the latest if it
   * was more than once; null where it never was, and where a restore took it and its undo brought it.
   */
  returnOf({ textblock, offset }: Place): number | null {
    const own = this.script.textblocks[textblock];
    if (!own || this.returns.at.length === 0 || !this.touches(own, "source")) return null;
    return returnIn(this.settledAt(own.start + offset, never));
  }

  /** When a letter went for good, up to a revision, and whether by somebody's hand; null while it stands. */
  endOf(textblock: TextblockHistory, offset: number, to: number): Turn | null {
    const last = this.settledAt(textblock.start + offset, to).at(-1);
    return last && !last.comes ? last : null;
  }

  /** The characters that a letter was, one after the other, as far as they continue each other. */
  chainOf(at: number): number[] {
    const chain = [this.firstOf(at)];
    for (;;) {
      const last = chain.at(-1) ?? at;
      const next = linked(this.copies, last) ?? linked(this.returned, last);
      if (next === null) return chain;
      chain.push(next);
    }
  }

  /** The first character in whose place one stands: of what an edit wrote again elsewhere, the one it wrote. */
  standOf(at: number): number {
    let stand = at;
    for (
      let source = linked(this.data.returnSources, stand);
      source !== null;
      source = linked(this.data.returnSources, stand)
    )
      stand = source;
    return stand;
  }

  /** Whether a character was brought back by an event rather than written again by an edit. */
  isReturned(at: number): boolean {
    return linked(this.returns, at) !== null;
  }

  private settledAt(at: number, to: number): readonly Turn[] {
    return settledTurns(this.turnsOf(at), to, this.isUndone);
  }

  /** Every time that a letter came or went, in order; the same list for every copy of the letter. */
  turnsOf(at: number): readonly Turn[] {
    const first = this.firstOf(at);
    const known = this.turns.get(first);
    if (known) return known;
    const turns: Turn[] = [];
    for (const each of this.chainOf(first)) {
      const died = this.lifeAt(each, "died");
      // What one edit takes away and writes again did not go.
      if (turns.length > 0 && !this.isReturned(each)) turns.pop();
      else
        turns.push({
          revision: this.lifeAt(each, "born"),
          comes: true,
          byHand: turns.length === 0,
        });
      if (died !== never) turns.push({ revision: died, comes: false, byHand: !this.isMove(died) });
    }
    this.turns.set(first, turns);
    return turns;
  }

  /** How a character came that nobody wrote here, or the one it was copied from; null where it was written here. */
  importedAt(place: Place, contentOrigin: ContentOrigin): ImportedPassage | null {
    const { textblock, offset } = this.originOf(place);
    const own = this.script.textblocks[textblock];
    return own ? contentOrigin.of(own, offset) : null;
  }

  /**
   * Under which Yjs clients a run of characters with neighbouring clocks was first written, in
   * order; kept, for a page asks at every letter typed.
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
   * When each character was first written that ever stood in a textblock of the page, in order;
   * null where all were written in it.
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
      ? touches(this.sources, from, to)
      : touches(this.copies, from, to) || touches(this.returned, from, to);
  }

  /** The place of the character that one was copied from, or that was copied from it. */
  neighbourOf({ textblock, offset }: Place, side: "source" | "copy"): Place | null {
    const own = (this.script.textblocks[textblock]?.start ?? 0) + offset;
    const at =
      side === "source"
        ? linked(this.sources, own)
        : (linked(this.copies, own) ?? linked(this.returned, own));
    return at === null ? null : this.script.placeAt(at);
  }

  /** The lives of a textblock's characters, through all their copies. */
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
      const [first, last] = [this.firstOf(at), this.lastOf(at)];
      if (first !== at) {
        born[offset] = this.lifeAt(first, "born");
        copied[offset] = 1;
      }
      if (last !== at) died[offset] = this.lifeAt(last, "died");
      if (died[offset] !== never && (first !== at || linked(this.returned, last) !== null))
        gone[offset] = this.endOf(textblock, offset, never)?.revision ?? never;
      else gone[offset] = died[offset] ?? never;
    }
    return { born, died, gone, copied };
  }

  private firstOf(at: number): number {
    if (linked(this.sources, at) === null) return at;
    this.heads ??= new Uint32Array(this.length);
    const passed: number[] = [];
    let first = at;
    for (;;) {
      const known = this.heads[first] ?? 0;
      if (known > 0) {
        first = known - 1;
        break;
      }
      const source = linked(this.sources, first);
      if (source === null) break;
      passed.push(first);
      first = source;
    }
    for (const each of passed) this.heads[each] = first + 1;
    return first;
  }

  private lastOf(at: number): number {
    let last = at;
    for (let copy = linked(this.copies, last); copy !== null; copy = linked(this.copies, last))
      last = copy;
    return last;
  }

  private lifeAt(at: number, side: "born" | "died"): number {
    const { textblock, offset } = this.script.placeAt(at);
    return this.script.textblocks[textblock]?.[side][offset] ?? 0;
  }
}

const rewritings = new WeakMap<Timeline, Rewriting>();

/** Which characters of a timeline are copies of others; found when it is asked for the first time. */
export function rewritingOf(timeline: Timeline): Rewriting {
  return rewritings.get(timeline) ?? rewritingFrom(timeline, rewritingDataOf(timeline));
}

/** The same for a timeline of which another thread has found it; nobody seeks it here any more. */
export function rewritingFrom(timeline: Timeline, data: RewritingData): Rewriting {
  const made = new Rewriting(timeline, data);
  rewritings.set(timeline, made);
  return made;
}
