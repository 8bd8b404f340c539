import { appendAll } from "@/events/core/append-all";
import type { Frame, Holder, Token, WornMark } from "./revision-tokens";
import type { Block } from "@/events/history/timeline/full-history-text";
import type { Step } from "./token-match";

/** `same`: on both sides. `out`: only on the first side. `in`: only on the second side. */
export type Kind = "same" | "out" | "in";

/** The change of the marks of unchanged words: marks gained (`worn`) and lost (`shed`). */
export type Remarked = { worn: WornMark[]; shed: WornMark[] };

/** Consecutive words with the same properties. */
export type Run = {
  kind: Kind;
  text: string;
  marks: WornMark[];
  /** The revision that wrote the text or, for deleted text, deleted it. */
  revision: number;
  remarked: Remarked | null;
  /** The run's units of the full-history text, both ends inclusive. */
  units: [from: number, to: number];
  /** The number of a move, the same at its old and its new place. Null for any other run. */
  moved: number | null;
  /** Whether the run is the end of a block, within words, that stands on one side only. */
  isBreak: boolean;
};

/** One block of the comparison. A row whose kind is `in` or `out` stands on one side only. */
export type Row = {
  kind: Kind;
  frame: Frame;
  /** The previous form of a block whose type or place in lists and tables changed, else null. */
  was: Frame | null;
  runs: Run[];
  /**
   * Old and new units of text in the row that was rewritten unchanged. They can only be restored
   * together.
   */
  anew: [from: number, to: number][];
  /** The index of the change that the whole row belongs to. Runs of other rows have their own. */
  change: number | null;
  changes: (number | null)[];
  /** The unread block without differences that the row represents. Null in any other row. */
  still: Block | null;
};

const stepsAtOnce = 2_000;

function sameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  return JSON.stringify(one) === JSON.stringify(other);
}

function missing(from: WornMark[], others: WornMark[]): WornMark[] {
  if (from.length === 0) return from;
  return from.filter(
    ({ type, attrs }) =>
      !others.some((other) => other.type === type && sameValue(other.attrs, attrs)),
  );
}

function remarked(a: Token, b: Token): Remarked | null {
  const [before, after] = [a.stretches[0]?.marks ?? [], b.stretches[0]?.marks ?? []];
  const [worn, shed] = [missing(after, before), missing(before, after)];
  return worn.length > 0 || shed.length > 0 ? { worn, shed } : null;
}

function sameForm(a: Frame, b: Frame): boolean {
  const described = ({ path, block }: Frame) =>
    [...path, block].map(({ name, attrs }) => [name, Object.entries(attrs).sort()]);
  return sameValue(described(a), described(b));
}

const described = (marks: WornMark[]) =>
  marks.length === 0 ? "" : JSON.stringify(marks.map(({ type, attrs }) => [type, attrs]));

function joins(last: Run, run: Run, authorOf: (revision: number) => number): boolean {
  return (
    last.kind === run.kind &&
    !last.isBreak &&
    !run.isBreak &&
    described(last.marks) === described(run.marks) &&
    sameValue(last.remarked, run.remarked) &&
    (run.kind === "same" || authorOf(last.revision) === authorOf(run.revision))
  );
}

function runsOf({ a, b }: Step): Run[] {
  const token = b ?? a;
  if (!token || (token.frame && a && b)) return [];
  const kind = a && b ? "same" : a ? "out" : "in";
  if (token.frame) {
    const { revision } = token.frame.block;
    return [
      {
        kind,
        text: "¶",
        marks: [],
        revision,
        remarked: null,
        units: [token.unit, token.unit],
        moved: null,
        isBreak: true,
      },
    ];
  }
  const change = a && b ? remarked(a, b) : null;
  return token.stretches.map(({ text, marks, revision, unit }) => ({
    kind,
    text,
    marks,
    revision,
    remarked: change,
    units: [unit, unit + text.length - 1],
    moved: null,
    isBreak: false,
  }));
}

/**
 * Maps containers of the first side to the second. A recreated list with the same items counts as
 * the same list.
 */
function twins(steps: Step[]): Map<number, Holder> {
  const found = new Map<number, Holder>();
  for (const { a, b } of steps) {
    if (!a?.frame || !b?.frame || a.frame.path.length !== b.frame.path.length) continue;
    a.frame.path.forEach((holder, depth) => {
      const twin = b.frame?.path[depth];
      if (twin && !found.has(holder.unit)) found.set(holder.unit, twin);
    });
  }
  return found;
}

function placesOf({ frame, stretches }: Token): Row["anew"] {
  const holders = frame
    ? [...frame.path, frame.block].map(({ unit }): [number, number] => [unit, unit])
    : [];
  return [
    ...holders,
    ...stretches.map(({ unit, text }): [number, number] => [unit, unit + text.length - 1]),
  ];
}

/**
 * Whether two tokens with the same text consist of the same characters, which need not have been
 * written contiguously.
 */
function sameCharacters(a: Token, b: Token): boolean {
  if (a.unit !== b.unit) return false;
  if (a.stretches.length <= 1 && b.stretches.length <= 1) return true;
  const units = ({ stretches }: Token) =>
    stretches.flatMap(({ unit, text }) =>
      Array.from({ length: text.length }, (_, at) => unit + at),
    );
  const others = units(b);
  return units(a).every((unit, at) => unit === others[at]);
}

/**
 * Converts the steps from one text to another into a page's blocks with their words, in page order.
 * Yields every few thousand steps.
 */
export function* rowsOf(
  steps: Step[],
  authorOf: (revision: number) => number,
): Generator<void, Row[]> {
  const rows: Row[] = [];
  const twinOf = twins(steps);
  let runs: Run[] = [];
  let anew: Row["anew"] = [];
  let deletedFrame: Frame | null = null;
  const add = (run: Run) => {
    const last = runs.at(-1);
    if (!last || !joins(last, run, authorOf)) {
      runs.push({ ...run });
      return;
    }
    last.text += run.text;
    last.units = [last.units[0], run.units[1]];
  };
  const end = (row: Pick<Row, "kind" | "frame" | "was">) => {
    rows.push({ ...row, runs, anew, change: null, changes: [], still: null });
    runs = [];
    anew = [];
  };
  for (const [at, step] of steps.entries()) {
    if (at % stepsAtOnce === stepsAtOnce - 1) yield;
    const { a, b } = step;
    if (b?.still && b.frame) {
      // The rest of a block that lost its end is followed by no block that could contain it.
      if (runs.length > 0) end({ kind: "same", frame: deletedFrame ?? b.frame, was: null });
      rows.push({
        kind: "same",
        frame: b.frame,
        was: null,
        runs: [],
        anew: [],
        change: null,
        changes: [],
        still: b.still,
      });
      continue;
    }
    if (a?.frame) deletedFrame = a.frame;
    if (a && b && !sameCharacters(a, b)) {
      appendAll(anew, placesOf(a));
      appendAll(anew, placesOf(b));
    }
    if (b?.frame && a?.frame)
      end({ kind: "same", frame: b.frame, was: sameForm(a.frame, b.frame) ? null : a.frame });
    else if (b?.frame) {
      const whole = runs.every(({ kind }) => kind === "in");
      if (!whole) for (const run of runsOf(step)) add(run);
      end({ kind: whole ? "in" : "same", frame: b.frame, was: null });
    } else if (a?.frame && runs.every(({ kind }) => kind === "out")) {
      const path = a.frame.path.map((holder) => twinOf.get(holder.unit) ?? holder);
      end({ kind: "out", frame: { path, block: a.frame.block }, was: null });
    } else for (const run of runsOf(step)) add(run);
  }
  return rows;
}
