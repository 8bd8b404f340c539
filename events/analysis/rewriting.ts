import { returnedRuns } from "./returned-runs";
import { rewrittenRuns, type RewrittenRun } from "./rewritten-runs";
import {
  type ImportedPassage,
  type ContentOrigin,
  contentOriginOf,
} from "@/events/analysis/lineage/copy-in";
import { lastUpTo } from "@/events/core/growing";
import { type Textblock } from "@/events/history/timeline/full-history-text";
import {
  idOf,
  type Line,
  type Place,
  type Script,
  scriptOf,
} from "@/events/history/timeline/script";
import { type Timeline } from "@/events/history/timeline/timeline";

/** When each character of a line was first written, and when the last that was made of it went; `copied` where it is not the first itself, null where none is. */
export type Lives = { born: Uint32Array; died: Uint32Array; copied: Uint8Array | null };

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
  /** Of each moment that made copies, how many. */
  counts: ReadonlyMap<number, number>;
};

/** Finds which characters of a history are copies of others; of a long one that takes its time. */
function rewritingDataOf(timeline: Timeline): RewritingData {
  const script = scriptOf(timeline);
  const contentOrigin = contentOriginOf(timeline);
  const returned = returnedRuns(timeline, script);
  const backwards = (all: readonly RewrittenRun[]) =>
    linksOf(all.map(({ from, to, length }) => ({ at: to, to: from, length })));
  const returns = backwards(returned);
  // What was carried here was written elsewhere, whatever went to make room for it; and what returns was not taken from what goes for it.
  const isFree = returned.length === 0 ? null : (at: number) => linked(returns, at) === null;
  const runs = rewrittenRuns(
    timeline,
    script,
    (moment) => contentOrigin.copyInAt(moment) === null,
    isFree,
  );
  const counts = new Map<number, number>();
  for (const { moment, length } of [...returned, ...runs])
    counts.set(moment, (counts.get(moment) ?? 0) + length);
  return {
    sources: backwards([...returned, ...runs]),
    copies: linksOf(runs.map(({ from, to, length }) => ({ at: from, to, length }))),
    returns,
    returned: linksOf(returned.map(({ from, to, length }) => ({ at: from, to, length }))),
    counts,
  };
}

/**
 * Which characters of a history are copies of others: an editor that parts a paragraph or makes it a list deletes words and
 * writes them again, and they are still the words of whoever wrote them; so are words that are restored. A copy's origin is the character it was copied from
 * in the first place.
 */
export class Rewriting {
  /** What it is made of. */
  readonly data: RewritingData;
  /** Of each moment that made copies, how many. */
  readonly counts: ReadonlyMap<number, number>;
  private readonly script: Script;
  private readonly sources: Links;
  private readonly copies: Links;
  private readonly returns: Links;
  private readonly returned: Links;
  private readonly known = new Map<Line, Lives>();
  private readonly clients = new Map<string, { client: number; length: number }[]>();

  constructor(timeline: Timeline, data: RewritingData) {
    this.data = data;
    this.script = scriptOf(timeline);
    this.counts = data.counts;
    this.sources = data.sources;
    this.copies = data.copies;
    this.returns = data.returns;
    this.returned = data.returned;
  }

  /** The place of the character that one was copied from in the first place: its own where it is no copy. */
  originOf({ line, offset }: Place): Place {
    const own = this.script.lines[line];
    if (!own || !touches(this.sources, own.start + offset, own.start + offset + 1))
      return { line, offset };
    return this.script.placeAt(this.firstOf(own.start + offset));
  }

  /** The moment at which a character, or one that it was copied from, was brought back after it had gone, the latest if it was more than once; null where it never was. */
  returnOf({ line, offset }: Place): number | null {
    const own = this.script.lines[line];
    if (!own || !this.touches(own, "source")) return null;
    for (let at: number | null = own.start + offset; at !== null; at = linked(this.sources, at)) {
      if (linked(this.returns, at) !== null) return this.lifeAt(at, "born");
    }
    return null;
  }

  /** Whether a character that went, or the last copy of it, was brought back. */
  comesBack(line: Line, offset: number): boolean {
    return (
      this.returned.at.length > 0 &&
      linked(this.returned, this.lastOf(line.start + offset)) !== null
    );
  }

  /** How a character came that nobody wrote here, or the one it was copied from; null where it was written here. */
  carried(place: Place, contentOrigin: ContentOrigin): ImportedPassage | null {
    const { line, offset } = this.originOf(place);
    const own = this.script.lines[line];
    return own ? contentOrigin.of(own, offset) : null;
  }

  /** Under which Yjs clients a run of characters with neighbouring clocks was first written, in order; kept, for a page asks at every letter typed. */
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

  /** When each character was first written that ever stood in a line of the page, in order; null where all were written in it. */
  birthsIn({ pieces }: Textblock): Uint32Array | null {
    const first = pieces.find((piece) => piece.kind === "textRun");
    const place = first && this.script.placeOf(first.client, first.clock);
    const line = place && this.script.lines[place.line];
    return line && this.touches(line, "source") ? this.livesOf(line).born : null;
  }

  /** Whether any character of a line was copied from others, or to others. */
  touches(line: Line | undefined, side: "source" | "copy"): boolean {
    return (
      line !== undefined &&
      touches(
        side === "source" ? this.sources : this.copies,
        line.start,
        line.start + line.text.length,
      )
    );
  }

  /** The place of the character that one was copied from, or that was copied from it. */
  neighbourOf({ line, offset }: Place, side: "source" | "copy"): Place | null {
    const at = linked(
      side === "source" ? this.sources : this.copies,
      (this.script.lines[line]?.start ?? 0) + offset,
    );
    return at === null ? null : this.script.placeAt(at);
  }

  /** The lives of a line's characters, through all their copies. */
  livesOf(line: Line): Lives {
    if (!this.touches(line, "source") && !this.touches(line, "copy"))
      return { born: line.born, died: line.died, copied: null };
    const made = this.known.get(line) ?? this.read(line, line.start);
    this.known.set(line, made);
    return made;
  }

  private readClients(
    client: number,
    clock: number,
    length: number,
  ): { client: number; length: number }[] {
    const place = this.script.placeOf(client, clock);
    if (!place || !this.touches(this.script.lines[place.line], "source"))
      return [{ client, length }];
    const found: { client: number; length: number }[] = [];
    for (let at = clock; at < clock + length; at += 1) {
      const own = this.script.placeOf(client, at);
      const origin = own && this.originOf(own);
      const line = origin && this.script.lines[origin.line];
      const writer = (line && idOf(line, origin.offset)?.client) ?? client;
      const last = found.at(-1);
      if (last?.client === writer) last.length += 1;
      else found.push({ client: writer, length: 1 });
    }
    return found;
  }

  private read(line: Line, from: number): Lives {
    const [born, died, copied] = [
      line.born.slice(),
      line.died.slice(),
      new Uint8Array(line.text.length),
    ];
    for (let offset = 0; offset < copied.length; offset += 1) {
      const at = from + offset;
      const [first, last] = [this.firstOf(at), this.lastOf(at)];
      if (first !== at) {
        born[offset] = this.lifeAt(first, "born");
        copied[offset] = 1;
      }
      if (last !== at) died[offset] = this.lifeAt(last, "died");
    }
    return { born, died, copied };
  }

  private firstOf(at: number): number {
    let first = at;
    for (
      let source = linked(this.sources, first);
      source !== null;
      source = linked(this.sources, first)
    )
      first = source;
    return first;
  }

  private lastOf(at: number): number {
    let last = at;
    for (let copy = linked(this.copies, last); copy !== null; copy = linked(this.copies, last))
      last = copy;
    return last;
  }

  private lifeAt(at: number, side: "born" | "died"): number {
    const { line, offset } = this.script.placeAt(at);
    return this.script.lines[line]?.[side][offset] ?? 0;
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
