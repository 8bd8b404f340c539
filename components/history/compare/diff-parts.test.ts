import { describe, expect, it } from "vitest";
import { comparing } from "@/events/analysis/comparison/comparison";
import { type Row } from "@/events/analysis/comparison/comparison-rows";
import { finished } from "@/events/analysis/comparison/paused-work";
import { timelineOfSteps } from "@/events/analysis/insight.fixture";
import { partsOf, partsOfStretches, placesOf } from "./diff-parts";

const roleOf = () => "words" as const;
const none: ReadonlySet<string> = new Set();

/** The rows of a text of so many paragraphs of which some were changed. */
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

describe("a comparison as parts of its page", () => {
  it("folds what does not differ but for what stands next to a change, and opens it [COMPARE-5]", () => {
    const rows = rowsWith(40, [20]);
    const at = rows.findIndex(({ still }) => still === null);
    const parts = partsOf(rows, none);
    expect(parts.map(({ folded, rows: own }) => [folded, own.length])).toEqual([
      [true, at - 2],
      [false, 5],
      [true, 40 - at - 3],
    ]);
    const [first] = parts;
    const opened = partsOf(rows, new Set([first?.key ?? ""]));
    expect(opened[0]).toMatchObject({ key: first?.key, folded: false });
    expect(opened.filter(({ folded }) => folded)).toHaveLength(1);
    expect(opened.flatMap((part) => part.rows)).toEqual(rows);
  });

  it("folds nothing of a short text, and leaves out no row of any [COMPARE-5]", () => {
    expect(partsOf(rowsWith(6, [3]), none).some(({ folded }) => folded)).toBe(false);
    const rows = rowsWith(60, [5, 30, 31, 58]);
    expect(partsOf(rows, none).flatMap((part) => part.rows)).toEqual(rows);
    expect(new Set(partsOf(rows, none).map(({ key }) => key)).size).toBe(
      partsOf(rows, none).length,
    );
  });

  it("parts the stretches of a preview without leaving out a row or folding any [COMPARE-5]", () => {
    const stretches = [rowsWith(40, [20]), rowsWith(5, [1]), rowsWith(30, [2])];
    const parts = partsOfStretches(stretches);
    expect(parts.flatMap(({ rows }) => rows)).toEqual(stretches.flat());
    expect(parts.some(({ folded }) => folded)).toBe(false);
    expect(parts.every(({ rows }) => rows.length <= 12)).toBe(true);
    expect(parts.filter(({ begins }) => begins).map(({ rows }) => rows[0])).toEqual(
      stretches.map(([first]) => first),
    );
    expect(new Set(parts.map(({ key }) => key)).size).toBe(parts.length);
  });

  it("knows in which part each change stands [COMPARE-5]", () => {
    const rows = rowsWith(60, [5, 50]);
    const parts = partsOf(rows, none);
    const places = placesOf(parts);
    for (const [change, { key }] of places) {
      const part = parts.find((each) => each.key === key);
      expect(part?.folded).toBe(false);
      expect(part?.rows.some((row) => row.change === change || row.changes.includes(change))).toBe(
        true,
      );
    }
    expect(places.size).toBe(2);
  });
});
