import { lastUpTo, firstWhere } from "@/events/core/binary-search";
import { bornStep, diedStep } from "./life-runs";
import type { Block } from "./full-history-text";
import { structuralTokenKind } from "./columnar-history";
import type { ColumnarHistory } from "./columnar-history";
import type { Timeline } from "./timeline";

/**
 * A textblock's full history: every character that ever stood in the textblock, in page order, with
 * its revisions.
 */
export type TextblockHistory = {
  /** The index of the textblock's top-level block among the timeline's blocks. */
  block: number;
  /** The number of characters of the script before the textblock's first character. */
  start: number;
  text: string;
  born: Uint32Array;
  died: Uint32Array;
  /** The Yjs ids of the characters. From offset `from` on, the clocks count from `clock`. */
  ids: { from: number; client: number; clock: number }[];
};

/** A character of the script: number `offset` of textblock number `textblock`. */
export type Place = { textblock: number; offset: number };

/** All text that was ever written in a document, as textblocks of characters. */
export type Script = {
  textblocks: TextblockHistory[];
  placeOf(client: number, clock: number): Place | null;
  /** Returns the place of a character by its index in the script. */
  placeAt(at: number): Place;
  /** Returns the index from Yjs ids to places, which is slow to build for a long history. */
  clientRuns(): ClientRuns;
  /** Adopts an index that another thread built from the same history. */
  takeClientRuns(gathered: ClientRuns): void;
};

/** Each client's runs by their first clocks. */
export type ClientRuns = ReadonlyMap<number, { clocks: Float64Array; runs: Uint32Array }>;

const utf16 = new TextDecoder("utf-16le", { ignoreBOM: true });

/** A textblock that is read from the columns on first use and cached. */
class StoredTextblock implements TextblockHistory {
  readonly block: number;
  readonly start: number;
  private readonly columns: ColumnarHistory;
  private readonly to: number;
  private words: string | null = null;
  private cachedLives: Pick<TextblockHistory, "born" | "died" | "ids"> | null = null;

  constructor(columns: ColumnarHistory, block: number, from: number, to: number) {
    this.columns = columns;
    this.block = block;
    this.start = from;
    this.to = to;
  }

  get text(): string {
    this.words ??= utf16.decode(this.columns.text.subarray(this.start, this.to));
    return this.words;
  }

  get born(): Uint32Array {
    return this.lives().born;
  }

  get died(): Uint32Array {
    return this.lives().died;
  }

  get ids(): TextblockHistory["ids"] {
    return this.lives().ids;
  }

  private lives(): Pick<TextblockHistory, "born" | "died" | "ids"> {
    this.cachedLives ??= this.read();
    return this.cachedLives;
  }

  private read(): Pick<TextblockHistory, "born" | "died" | "ids"> {
    const { runs } = this.columns;
    const [born, died] = [
      new Uint32Array(this.to - this.start),
      new Uint32Array(this.to - this.start),
    ];
    const ids: TextblockHistory["ids"] = [];
    let client = -1;
    let next = 0;
    for (let run = lastUpTo(runs.start, this.start), at = this.start; at < this.to; run += 1) {
      const start = runs.start[run] ?? 0;
      const end = Math.min(this.to, runs.start[run + 1] ?? runs.length);
      const clock = (runs.clock[run] ?? 0) + at - start;
      if (runs.client[run] !== client || clock !== next)
        ids.push({
          from: at - this.start,
          client: runs.clients[runs.client[run] ?? 0] ?? 0,
          clock,
        });
      client = runs.client[run] ?? 0;
      next = clock + end - at;
      const [firstBorn, firstDied, steps] = [
        runs.born[run] ?? 0,
        runs.died[run] ?? 0,
        runs.steps[run] ?? 0,
      ];
      const [bornOn, diedOn] = [bornStep(steps), diedStep(steps)];
      for (; at < end; at += 1) {
        born[at - this.start] = firstBorn + (at - start) * bornOn;
        died[at - this.start] = firstDied + (at - start) * diedOn;
      }
    }
    return { born, died, ids };
  }
}

/** Returns the textblocks of a full-history text, and the index of each one's first character. */
function textblocksOf(columns: ColumnarHistory): {
  textblocks: TextblockHistory[];
  starts: Uint32Array;
} {
  const { structuralTokens, blocks } = columns;
  const textblocks: TextblockHistory[] = [];
  const starts: number[] = [];
  for (let block = 0; block < blocks.keys.length; block += 1) {
    let from = -1;
    for (let sign = blocks.sign[block] ?? 0; sign < (blocks.sign[block + 1] ?? 0); sign += 1) {
      const kind = structuralTokens.kind[sign];
      const at = structuralTokens.at[sign] ?? 0;
      if (kind === structuralTokenKind.textblock) from = at;
      else if (kind === structuralTokenKind.end && from >= 0) {
        textblocks.push(new StoredTextblock(columns, block, from, at));
        starts.push(from);
        from = -1;
      }
    }
  }
  return { textblocks, starts: Uint32Array.from(starts) };
}

function runsByClient({ runs }: ColumnarHistory): ClientRuns {
  const gathered = new Map<number, number[]>();
  for (let run = 0; run < runs.start.length; run += 1) {
    const client = runs.clients[runs.client[run] ?? 0] ?? 0;
    const known = gathered.get(client);
    if (known) known.push(run);
    else gathered.set(client, [run]);
  }
  return new Map(
    [...gathered].map(([client, own]) => {
      const ordered = Uint32Array.from(own).sort(
        (a, b) => (runs.clock[a] ?? 0) - (runs.clock[b] ?? 0),
      );
      return [
        client,
        { clocks: Float64Array.from(ordered, (run) => runs.clock[run] ?? 0), runs: ordered },
      ];
    }),
  );
}

const scripts = new WeakMap<readonly Block[], Script>();

/** Returns the script of a timeline, built once per timeline. Textblocks are read on demand. */
export function scriptOf({
  blocks,
  historyText: { columns },
}: Pick<Timeline, "blocks" | "historyText">): Script {
  const made = scripts.get(blocks);
  if (made) return made;
  const { textblocks, starts } = textblocksOf(columns);
  let gathered: ClientRuns | null = null;
  const clientRuns = () => (gathered ??= runsByClient(columns));
  const placeAt = (at: number): Place => {
    // If textblocks begin at the same index, only the last of them can have letters.
    const textblock = lastUpTo(starts, at);
    return { textblock, offset: at - (starts[textblock] ?? 0) };
  };
  const script: Script = {
    textblocks,
    placeOf: (client, clock) => {
      const own = clientRuns().get(client);
      const run = own?.runs[lastUpTo(own.clocks, clock)];
      if (run === undefined) return null;
      const start = columns.runs.start[run] ?? 0;
      const at = start + clock - (columns.runs.clock[run] ?? 0);
      return at < (columns.runs.start[run + 1] ?? columns.runs.length) ? placeAt(at) : null;
    },
    placeAt,
    clientRuns,
    takeClientRuns: (others) => {
      gathered = others;
    },
  };
  scripts.set(blocks, script);
  return script;
}

/** Returns the Yjs id of a textblock's character. */
export function idOf(
  { ids }: TextblockHistory,
  offset: number,
): { client: number; clock: number } | null {
  const near = ids[firstWhere(0, ids.length, (index) => (ids[index]?.from ?? 0) > offset) - 1];
  return near ? { client: near.client, clock: near.clock + offset - near.from } : null;
}

/** Whether a character stood at a revision. */
export function standsAt({ born, died }: TextblockHistory, offset: number, at: number): boolean {
  return (born[offset] ?? 0) <= at && (died[offset] ?? 0) > at;
}

/** Returns the text of a textblock at a revision, between two offsets (`to` exclusive). */
export function textAt(
  textblock: TextblockHistory,
  at: number,
  from = 0,
  to = textblock.text.length,
): string {
  let read = "";
  for (let offset = Math.max(0, from); offset < Math.min(to, textblock.text.length); offset += 1) {
    if (standsAt(textblock, offset, at)) read += textblock.text[offset] ?? "";
  }
  return read;
}
