import { StepMap } from "@tiptap/pm/transform";

type Run = { retain: number } | { remove: number; insert: number };

/**
 * Returns the runs of a map: retained lengths and replacements. All content after the last range is
 * retained.
 */
function runsOf(map: StepMap): Run[] {
  const runs: Run[] = [];
  let at = 0;
  map.forEach((oldFrom, oldTo, newFrom, newTo) => {
    if (oldFrom > at) runs.push({ retain: oldFrom - at });
    runs.push({ remove: oldTo - oldFrom, insert: newTo - newFrom });
    at = oldTo;
  });
  runs.push({ retain: Number.POSITIVE_INFINITY });
  return runs;
}

/** Composes two successive maps into one. */
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
  const retain = (length: number) => {
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
      "retain" in mine &&
      "retain" in theirs &&
      mine.retain === Number.POSITIVE_INFINITY &&
      theirs.retain === Number.POSITIVE_INFINITY
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
      // The document between both maps: retained or inserted by the first, and retained or removed
      // by the second.
      const there = "retain" in mine ? mine.retain : mine.insert;
      const covered = "retain" in theirs ? theirs.retain : theirs.remove;
      const length = Math.min(there, covered);
      if ("retain" in mine && "retain" in theirs) retain(length);
      else if ("retain" in mine) change(length, 0);
      else if ("retain" in theirs) change(0, length);
      if ("retain" in mine)
        mine = mine.retain === length ? left.shift() : { retain: mine.retain - length };
      else mine = { remove: 0, insert: mine.insert - length };
      if ("retain" in theirs)
        theirs = theirs.retain === length ? right.shift() : { retain: theirs.retain - length };
      else theirs = { remove: theirs.remove - length, insert: 0 };
    }
  }
  close();
  return new StepMap(ranges);
}
