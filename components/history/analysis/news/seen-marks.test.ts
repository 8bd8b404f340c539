import { expect, it } from "vitest";
import { seenMarks } from "./seen-marks";

function reader() {
  const said: [number, boolean][] = [];
  let due: (() => void) | null = null;
  const marks = seenMarks({
    mark: (version, opened) => said.push([version, opened]),
    later: (work) => {
      due = work;
      return () => (due = null);
    },
  });
  return { ...marks, said, wait: () => due?.() };
}

it("[HOME-7] reports the opening at once, and later how far the document was read", () => {
  const { reached, said, wait } = reader();
  reached(7);
  reached(8);
  reached(9);
  expect(said).toEqual([[7, true]]);
  wait();
  expect(said).toEqual([
    [7, true],
    [9, false],
  ]);
});

it("[HOME-7] reports the rest on leaving, and nothing twice", () => {
  const { reached, flush, said, wait } = reader();
  flush();
  reached(7);
  reached(8);
  flush();
  flush();
  wait();
  reached(8);
  expect(said).toEqual([
    [7, true],
    [8, false],
  ]);
});
