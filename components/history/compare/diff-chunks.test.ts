import { describe, expect, it } from "vitest";
import { comparing } from "@/events/analysis/comparison/comparison";
import type { Row } from "@/events/analysis/comparison/comparison-rows";
import { finished } from "@/events/analysis/comparison/paused-work";
import { timelineOfSteps } from "@/events/analysis/analysis.fixture";
import { chunksOf, chunksOfStretches, placesOf } from "./diff-chunks";

const roleOf = () => "words" as const;
const none: ReadonlySet<string> = new Set();

/** Returns the rows of a text with some changed paragraphs. */
function rowsWith(paragraphs: number, changed: readonly number[]): Row[] {
  const written = Array.from({ length: paragraphs }, (_, at) => ({
    who: "Ana" as const,
    kind: 0,
    at,
    size: 1,
    word: `paragraph ${at}`,
  }));
  const timeline = timelineOfSteps(
    ...written,
    ...changed.map((at) => ({ who: "Ben" as const, kind: 1, at, size: 0, word: "again " })),
  );
  return finished(
    comparing(timeline, { from: paragraphs, to: timeline.length - 1, roleOf, folded: true }),
  ).rows;
}

describe("a comparison in chunks", () => {
  it("folds unchanged rows except those next to a change, and opens them [COMPARE-5]", () => {
    const rows = rowsWith(40, [20]);
    const at = rows.findIndex(({ still }) => still === null);
    const chunks = chunksOf(rows, none);
    expect(chunks.map(({ folded, rows: own }) => [folded, own.length])).toEqual([
      [true, at - 2],
      [false, 5],
      [true, 40 - at - 3],
    ]);
    const [first] = chunks;
    const opened = chunksOf(rows, new Set([first?.key ?? ""]));
    expect(opened[0]).toMatchObject({ key: first?.key, folded: false });
    expect(opened.filter(({ folded }) => folded)).toHaveLength(1);
    expect(opened.flatMap((chunk) => chunk.rows)).toEqual(rows);
  });

  it("folds nothing in a short text, and drops no row of any text [COMPARE-5]", () => {
    expect(chunksOf(rowsWith(6, [3]), none).some(({ folded }) => folded)).toBe(false);
    const rows = rowsWith(60, [5, 30, 31, 58]);
    expect(chunksOf(rows, none).flatMap((chunk) => chunk.rows)).toEqual(rows);
    expect(new Set(chunksOf(rows, none).map(({ key }) => key)).size).toBe(
      chunksOf(rows, none).length,
    );
  });

  it("splits the stretches of a preview without dropping or folding a row [COMPARE-5]", () => {
    const stretches = [rowsWith(40, [20]), rowsWith(5, [1]), rowsWith(30, [2])];
    const chunks = chunksOfStretches(stretches);
    expect(chunks.flatMap(({ rows }) => rows)).toEqual(stretches.flat());
    expect(chunks.some(({ folded }) => folded)).toBe(false);
    expect(chunks.every(({ rows }) => rows.length <= 12)).toBe(true);
    expect(chunks.filter(({ begins }) => begins).map(({ rows }) => rows[0])).toEqual(
      stretches.map(([first]) => first),
    );
    expect(new Set(chunks.map(({ key }) => key)).size).toBe(chunks.length);
  });

  it("finds the chunk of each change [COMPARE-5]", () => {
    const rows = rowsWith(60, [5, 50]);
    const chunks = chunksOf(rows, none);
    const places = placesOf(chunks);
    for (const [change, { key }] of places) {
      const chunk = chunks.find((each) => each.key === key);
      expect(chunk?.folded).toBe(false);
      expect(chunk?.rows.some((row) => row.change === change || row.changes.includes(change))).toBe(
        true,
      );
    }
    expect(places.size).toBe(2);
  });
});
