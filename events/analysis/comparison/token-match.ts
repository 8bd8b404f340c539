import type { Token } from "./revision-tokens";
import { shortestEdit } from "./shortest-edit";

/** A token that stands on both sides, only on the first side, or only on the second side. */
export type Step = { a: Token; b: Token } | { a: Token; b: null } | { a: null; b: Token };

type Span = { aFrom: number; aTo: number; bFrom: number; bTo: number };
const hasWords = /[\p{L}\p{N}]/u;
// A gap with more differences becomes one replacement, because a finer result would be unreadable.
const mostDifferences = 400;
// The effort for a whole text. Beyond this, only nearly equal gaps are compared in detail.
const mostEffort = 30_000_000;
const fewDifferences = 24;
const effortAtOnce = 20_000;

/** Returns the index pairs of tokens with the same characters, ascending on both sides. */
function unchangedPairs(a: Token[], b: Token[]): [number, number][] {
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const [left, right] = [a[i], b[j]];
    if (!left || !right) break;
    // The end of a block has the unit of its node, which precedes the words. Blocks are therefore
    // paired by their content.
    if (left.frame && !left.still) i += 1;
    else if (right.frame && !right.still) j += 1;
    else if (left.unit < right.unit) i += 1;
    else if (left.unit > right.unit) j += 1;
    else {
      if (left.text === right.text) pairs.push([i, j]);
      i += 1;
      j += 1;
    }
  }
  return pairs;
}

class Matcher {
  readonly partner: Int32Array;
  private effort = 0;
  private paused = 0;
  private readonly a: Token[];
  private readonly b: Token[];

  constructor(a: Token[], b: Token[]) {
    this.a = a;
    this.b = b;
    this.partner = new Int32Array(a.length).fill(-1);
  }

  *fill(): Generator<void, void> {
    let [aFrom, bFrom] = [0, 0];
    for (const [i, j] of unchangedPairs(this.a, this.b)) {
      yield* this.between({ aFrom, aTo: i, bFrom, bTo: j });
      this.partner[i] = j;
      [aFrom, bFrom] = [i + 1, j + 1];
    }
    yield* this.between({ aFrom, aTo: this.a.length, bFrom, bTo: this.b.length });
  }

  private same(i: number, j: number): boolean {
    return this.a[i]?.text === this.b[j]?.text;
  }

  /**
   * Pairs the common beginning and end of a gap, then the tokens that occur once on both sides, and
   * finally the longest common rest.
   */
  private *between({ aFrom, aTo, bFrom, bTo }: Span): Generator<void, void> {
    while (aFrom < aTo && bFrom < bTo && this.same(aFrom, bFrom)) this.partner[aFrom++] = bFrom++;
    while (aFrom < aTo && bFrom < bTo && this.same(aTo - 1, bTo - 1)) this.partner[--aTo] = --bTo;
    if (aFrom === aTo || bFrom === bTo) return;
    const span = { aFrom, aTo, bFrom, bTo };
    this.effort += aTo - aFrom + bTo - bFrom;
    if (this.effort - this.paused > effortAtOnce) {
      this.paused = this.effort;
      yield;
    }
    const unique = this.uniquePairs(span);
    if (unique.length === 0) return this.common(span);
    let [i, j] = [aFrom, bFrom];
    for (const [nextA, nextB] of unique) {
      yield* this.between({ aFrom: i, aTo: nextA, bFrom: j, bTo: nextB });
      this.partner[nextA] = nextB;
      [i, j] = [nextA + 1, nextB + 1];
    }
    yield* this.between({ aFrom: i, aTo, bFrom: j, bTo });
  }

  private uniquePairs({ aFrom, aTo, bFrom, bTo }: Span): [number, number][] {
    const counts = new Map<string, { a: number; b: number; i: number; j: number }>();
    const seen = (text: string) => counts.get(text) ?? { a: 0, b: 0, i: 0, j: 0 };
    for (let i = aFrom; i < aTo; i += 1) {
      const text = this.a[i]?.text ?? "";
      const entry = seen(text);
      counts.set(text, { ...entry, a: entry.a + 1, i });
    }
    for (let j = bFrom; j < bTo; j += 1) {
      const text = this.b[j]?.text ?? "";
      const entry = seen(text);
      counts.set(text, { ...entry, b: entry.b + 1, j });
    }
    const found: [number, number][] = [];
    for (const [text, { a, b, i, j }] of counts)
      if (a === 1 && b === 1 && hasWords.test(text)) found.push([i, j]);
    return longestRising(found.sort(([one], [other]) => one - other));
  }

  private common({ aFrom, aTo, bFrom, bTo }: Span): void {
    const most = this.effort > mostEffort ? fewDifferences : mostDifferences;
    const { pairs, effort } = shortestEdit(aTo - aFrom, bTo - bFrom, most, (x, y) =>
      this.same(aFrom + x, bFrom + y),
    );
    this.effort += effort;
    for (const [x, y] of pairs) this.partner[aFrom + x] = bFrom + y;
  }
}

/** Returns the longest subsequence of pairs with ascending second numbers. */
function longestRising(pairs: [number, number][]): [number, number][] {
  const tails: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  pairs.forEach(([, j], index) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tails[middle] ?? 0]?.[1] ?? 0) < j) low = middle + 1;
      else high = middle;
    }
    before[index] = tails[low - 1] ?? -1;
    tails[low] = index;
  });
  const rising: [number, number][] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const pair = pairs[at];
    if (pair) rising.push(pair);
  }
  return rising.reverse();
}

function isUnchanged({ a, b }: Step): boolean {
  return a !== null && b !== null && a.frame === null && a.unit === b.unit;
}

function length(steps: Step[], side: "a" | "b"): number {
  return steps.reduce((sum, step) => sum + (step[side]?.text.length ?? 0), 0);
}

/**
 * Dissolves matches between replacements if they are equal only by chance or contain no word,
 * because readers see the whole as one replacement.
 */
function dissolved(steps: Step[]): Step[] {
  const groups: { paired: boolean; steps: Step[] }[] = [];
  for (const step of steps) {
    const paired = step.a !== null && step.b !== null;
    const last = groups.at(-1);
    if (last?.paired === paired) last.steps.push(step);
    else groups.push({ paired, steps: [step] });
  }
  return groups.flatMap(({ paired, steps: group }, index) => {
    const [before, after] = [groups[index - 1], groups[index + 1]];
    if (!paired || !before || !after || group.some(({ a }) => a?.frame)) return group;
    const both = (side: "a" | "b") =>
      length(before.steps, side) > 0 && length(after.steps, side) > 0;
    const wordless = !group.some(({ a }) => a && hasWords.test(a.text)) && both("a") && both("b");
    const around = (near: Step[]) => Math.max(length(near, "a"), length(near, "b"));
    const chance =
      !group.some(isUnchanged) &&
      length(group, "a") <= Math.min(around(before.steps), around(after.steps)) / 2;
    return wordless || chance
      ? group.flatMap(({ a, b }): Step[] =>
          a && b
            ? [
                { a, b: null },
                { a: null, b },
              ]
            : [],
        )
      : group;
  });
}

/**
 * Orders the steps between unchanged words, up to the end of a block: first all deletions, then all
 * insertions.
 */
function ordered(steps: Step[]): Step[] {
  const done: Step[] = [];
  let came: Step[] = [];
  for (const step of steps) {
    const stays = step.a !== null && step.b !== null;
    if (stays || (step.a ?? step.b)?.frame) {
      // Not `push(...came)`: a long paragraph has more words than a call can have arguments.
      for (const one of came) done.push(one);
      done.push(step);
      came = [];
    } else if (step.a === null) came.push(step);
    else done.push(step);
  }
  return [...done, ...came];
}

/**
 * Returns the steps from one text to another, in page order. Characters that stand on both sides
 * are paired first. Rewritten text (a split, joined or retyped block) is paired by its words.
 * Yields during long work.
 */
export function* stepsBetween(a: Token[], b: Token[]): Generator<void, Step[]> {
  const matcher = new Matcher(a, b);
  yield* matcher.fill();
  const steps: Step[] = [];
  let j = 0;
  const come = (to: number) => {
    for (; j < to; j += 1) {
      const token = b[j];
      if (token) steps.push({ a: null, b: token });
    }
  };
  a.forEach((token, i) => {
    const partner = matcher.partner[i] ?? -1;
    const other = b[partner];
    if (!other) {
      steps.push({ a: token, b: null });
      return;
    }
    come(partner);
    steps.push({ a: token, b: other });
    j = partner + 1;
  });
  come(b.length);
  yield;
  const matched = dissolved(steps);
  yield;
  return ordered(matched);
}
