import { StepMap } from "@tiptap/pm/transform";

type Run = { keep: number } | { remove: number; insert: number };

/** The runs of a map: what it keeps, and what it puts in the place of what. Beyond its last range everything is kept. */
function runsOf(map: StepMap): Run[] {
  const runs: Run[] = [];
  let at = 0;
  map.forEach((oldFrom, oldTo, newFrom, newTo) => {
    if (oldFrom > at) runs.push({ keep: oldFrom - at });
    runs.push({ remove: oldTo - oldFrom, insert: newTo - newFrom });
    at = oldTo;
  });
  runs.push({ keep: Number.POSITIVE_INFINITY });
  return runs;
}

/** One map that says what two say one after the other. */
export function composedMap(first: StepMap, second: StepMap): StepMap {
  const ranges: number[] = [];
  let at = 0;
  let removed = 0;
  let inserted = 0;
  const close = () => {
    if (removed > 0 || inserted > 0) ranges.push(at - removed, removed, inserted);
    removed = 0;
    inserted = 0;
  };
  const change = (remove: number, insert: number) => {
    removed += remove;
    inserted += insert;
    at += remove;
  };
  const keep = (length: number) => {
    if (length === 0) return;
    close();
    at += length;
  };
  const [left, right] = [runsOf(first), runsOf(second)];
  let mine = left.shift();
  let theirs = right.shift();
  while (
    mine &&
    theirs &&
    !(
      "keep" in mine &&
      "keep" in theirs &&
      mine.keep === Number.POSITIVE_INFINITY &&
      theirs.keep === Number.POSITIVE_INFINITY
    )
  ) {
    if ("remove" in mine && mine.remove > 0) {
      change(mine.remove, 0);
      mine = { remove: 0, insert: mine.insert };
    } else if ("insert" in theirs && theirs.insert > 0) {
      change(0, theirs.insert);
      theirs = { remove: theirs.remove, insert: 0 };
    } else if ("remove" in theirs && theirs.remove === 0) theirs = right.shift();
    else if ("insert" in mine && mine.insert === 0) mine = left.shift();
    else {
      // What stands in the middle: kept or brought by the first, kept or removed by the second.
      const there = "keep" in mine ? mine.keep : mine.insert;
      const asked = "keep" in theirs ? theirs.keep : theirs.remove;
      const length = Math.min(there, asked);
      if ("keep" in mine && "keep" in theirs) keep(length);
      else if ("keep" in mine) change(length, 0);
      else if ("keep" in theirs) change(0, length);
      if ("keep" in mine) mine = mine.keep === length ? left.shift() : { keep: mine.keep - length };
      else mine = { remove: 0, insert: mine.insert - length };
      if ("keep" in theirs)
        theirs = theirs.keep === length ? right.shift() : { keep: theirs.keep - length };
      else theirs = { remove: theirs.remove - length, insert: 0 };
    }
  }
  close();
  return new StepMap(ranges);
}
