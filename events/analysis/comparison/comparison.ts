import { appendAll } from "@/events/core/append-all";
import { countWords } from "@/events/content/word-count";
import { rowsOf } from "./comparison-rows";
import type { Row, Run } from "./comparison-rows";
import { finished } from "./paused-work";
import { readTokens, tokensAt } from "./revision-tokens";
import type { NodeRole, Side } from "./revision-tokens";
import type { Block } from "@/events/history/timeline/full-history-text";
import type { Timeline } from "@/events/history/timeline/timeline";
import { stepsBetween } from "./token-match";

/**
 * The kind of a change: text was added, removed, replaced or moved; marks or a block's type were
 * changed; a block was split or joined.
 */
export type ChangeKind =
  "added" | "removed" | "replaced" | "moved" | "marked" | "retyped" | "split" | "joined";

/** A change as a reader counts it. Adjacent insertions and deletions are one change. */
export type Change = {
  index: number;
  changeKind: ChangeKind;
  /** The authors of the change's parts in page order, as indices into the timeline's authors. */
  authors: number[];
  /** The newest revision of the change. */
  revision: number;
  out: string;
  in: string;
  /** All units of the full-history text in the change, both ends inclusive. */
  units: [from: number, to: number][];
};

/** The difference between two revisions of a document. */
export type Comparison = {
  from: number;
  to: number;
  rows: Row[];
  changes: Change[];
  /** The titles of the two sides. */
  title: { before: string; after: string };
  icon: { before: string | null; after: string | null };
  words: { in: number; out: number };
  /** The number of moved passages. */
  moves: number;
};

type Source = Pick<Timeline, "blocks" | "authorOf" | "titleAt" | "iconAt">;

/** The shortest passage, in characters, that is recognized as moved. */
export const shortestMove = 16;

/**
 * Groups contiguous insertions or deletions by their text, if they are long enough to be
 * recognized. The value is null if two have the same text.
 */
function passages(rows: Row[], kind: "in" | "out"): Map<string, Run[] | null> {
  const found: { text: string; runs: Run[] }[] = [];
  for (const { runs } of rows) {
    let open: { text: string; runs: Run[] } | null = null;
    for (const run of runs) {
      if (run.kind !== kind || run.isBreak) {
        open = null;
        continue;
      }
      if (!open) found.push((open = { text: "", runs: [] }));
      open.text += run.text;
      open.runs.push(run);
    }
  }
  const byText = new Map<string, Run[] | null>();
  for (const { text, runs } of found) {
    const words = text.trim();
    if (words.length >= shortestMove) byText.set(words, byText.has(words) ? null : runs);
  }
  return byText;
}

/**
 * Marks passages that were deleted in one place and stand verbatim in another. Returns the number
 * of moves.
 */
function findMoves(rows: Row[]): number {
  const came = passages(rows, "in");
  let moves = 0;
  for (const [text, gone] of passages(rows, "out")) {
    const arrived = came.get(text);
    if (!gone || !arrived) continue;
    for (const run of [...gone, ...arrived]) run.moved = moves;
    moves += 1;
  }
  return moves;
}

type RawChange = Pick<Change, "index" | "units" | "out" | "in"> & {
  runs: Run[];
  row: Row;
  whole: boolean;
  retyped: boolean;
};

function changeKindOf({ runs, row, whole, retyped }: RawChange): ChangeKind {
  const changed = runs.filter(({ kind }) => kind !== "same");
  if (changed.length > 0 && changed.every(({ moved }) => moved !== null)) return "moved";
  if (whole && runs.length === 0) return row.kind === "in" ? "added" : "removed";
  if (changed.length === 0) return retyped ? "retyped" : "marked";
  if (changed.every(({ isBreak }) => isBreak))
    return changed.some(({ kind }) => kind === "in") ? "split" : "joined";
  const kinds = new Set(changed.map(({ kind }) => kind));
  return kinds.size > 1 ? "replaced" : kinds.has("in") ? "added" : "removed";
}

function markRevision({ remarked, revision }: Run): number {
  return (remarked?.worn ?? []).reduce((last, mark) => Math.max(last, mark.revision), revision);
}

function rawChanges(rows: Row[]): RawChange[] {
  const found: RawChange[] = [];
  let before: RawChange | null = null;
  const open = (row: Row, whole: boolean): RawChange => {
    const raw: RawChange = {
      index: found.length,
      runs: [],
      row,
      whole,
      retyped: false,
      units: [],
      out: "",
      in: "",
    };
    found.push(raw);
    return raw;
  };
  rows.forEach((row, index) => {
    if (row.kind !== "same") {
      // Consecutive whole blocks are one change.
      const raw: RawChange = before?.whole ? before : open(row, true);
      row.change = raw.index;
      for (const { unit } of [row.frame.block, ...row.frame.path]) raw.units.push([unit, unit]);
      for (const run of row.runs) take(raw, run);
      before = raw;
      return;
    }
    before = null;
    let current: RawChange | null = null;
    if (row.was) {
      const form = open(row, false);
      form.retyped = true;
      for (const { unit } of [...row.frame.path, row.frame.block, ...row.was.path, row.was.block])
        form.units.push([unit, unit]);
      row.change = form.index;
    }
    row.changes = row.runs.map((run) => {
      if (run.kind === "same" && !run.remarked) {
        current = null;
        return null;
      }
      const mark = run.kind === "same";
      const raw: RawChange =
        current && !current.runs.some(({ kind }) => (kind === "same") !== mark)
          ? current
          : open(row, false);
      current = raw;
      take(raw, run);
      return raw.index;
    });
    // A block that was split continues in the next row.
    const anew = [...row.anew, ...(row.runs.at(-1)?.isBreak ? (rows[index + 1]?.anew ?? []) : [])];
    for (const change of new Set([row.change, ...row.changes]))
      if (change !== null) appendAll(found[change]?.units ?? [], anew);
  });
  return found;
}

function take(raw: RawChange, run: Run): void {
  raw.runs.push(run);
  raw.units.push(run.units);
  if (run.kind === "out") raw.out += run.text;
  else raw.in += run.text;
}

function changesOf(rows: Row[], authorOf: (revision: number) => number): Change[] {
  return rawChanges(rows).map((raw) => {
    const { index, runs, row, units, whole, retyped } = raw;
    const revisions = runs.map((run) => (run.kind === "same" ? markRevision(run) : run.revision));
    if (retyped || (whole && runs.length === 0)) revisions.push(row.frame.block.revision);
    const authors = [...new Set(revisions.map(authorOf))];
    return {
      index,
      changeKind: changeKindOf(raw),
      authors,
      revision: revisions.reduce((latest, revision) => Math.max(latest, revision)),
      out: raw.out,
      in: raw.in,
      units,
    };
  });
}

function wordsOf(rows: Row[], kind: "in" | "out"): number {
  const text = rows.map(({ runs }) =>
    runs
      .map((run) => (run.kind === kind && run.moved === null && !run.isBreak ? run.text : " "))
      .join(""),
  );
  return countWords(text.join(" "));
}

type ComparisonRequest = {
  from: number;
  to: number;
  roleOf: (name: string) => NodeRole;
  /** Whether blocks without differences stay unread. Each becomes a single `still` row. */
  folded: boolean;
};

/**
 * Compares like `compareRevisions`, but yields every few milliseconds of work so that the page
 * stays responsive.
 */
export function* comparing(
  source: Source,
  { from, to, roleOf, folded }: ComparisonRequest,
): Generator<void, Comparison> {
  const { blocks, authorOf, titleAt, iconAt } = source;
  const before = yield* readTokens(blocks, { at: from, other: to, authorOf, roleOf, folded });
  const after = yield* readTokens(blocks, { at: to, other: from, authorOf, roleOf, folded });
  const steps = yield* stepsBetween(before, after);
  yield;
  const rows = yield* rowsOf(steps, authorOf);
  yield;
  const moves = findMoves(rows);
  yield;
  const changes = changesOf(rows, authorOf);
  yield;
  return {
    from,
    to,
    rows,
    changes,
    title: { before: titleAt(from), after: titleAt(to) },
    icon: { before: iconAt(from), after: iconAt(to) },
    words: { in: wordsOf(rows, "in"), out: wordsOf(rows, "out") },
    moves,
  };
}

/**
 * Returns the text that one revision has and another lacks, and the reverse, with authors. The
 * result is exact to the character and divided into words. Either revision may be the earlier one.
 */
export function compareRevisions(
  source: Source,
  from: number,
  to: number,
  roleOf: (name: string) => NodeRole,
): Comparison {
  return finished(comparing(source, { from, to, roleOf, folded: false }));
}

/** Returns the rows of a block that has no differences between two revisions. */
export function stillRows(
  block: Block,
  { at, authorOf, roleOf }: Pick<Side, "at" | "authorOf" | "roleOf">,
): Row[] {
  const tokens = tokensAt([block], { at, other: at, authorOf, roleOf });
  const rows = finished(
    rowsOf(
      tokens.map((token) => ({ a: token, b: token })),
      authorOf,
    ),
  );
  for (const row of rows) row.changes = row.runs.map(() => null);
  return rows;
}
