import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { marginLayout } from "./margin-layout";
import type { MarginNote } from "./margin-layout";

const note = (id: string, top: number, height: number): MarginNote => ({ id, top, height });
const laid = (notes: MarginNote[], held: string | null) =>
  Object.fromEntries(marginLayout(notes, held, 10));

describe("the margin", () => {
  it("[COMMENT-7] puts each note beside its words where there is room", () => {
    expect(laid([note("a", 0, 50), note("b", 100, 50)], null)).toEqual({ a: 0, b: 100 });
  });

  it("[COMMENT-7] pushes colliding notes down, and keeps the open thread beside its words", () => {
    const notes = [note("a", 100, 50), note("b", 110, 50), note("c", 120, 50)];
    expect(laid(notes, null)).toEqual({ a: 100, b: 160, c: 220 });
    expect(laid(notes, "b")).toEqual({ a: 50, b: 110, c: 170 });
    expect(laid(notes, "c")).toEqual({ a: 0, b: 60, c: 120 });
  });

  it("[COMMENT-7] never overlaps or reorders notes", () => {
    const anyNotes = fc.array(fc.tuple(fc.nat(2_000), fc.integer({ min: 20, max: 300 })), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(anyNotes, fc.nat(25), (sizes, held) => {
        const notes = sizes
          .toSorted(([a], [b]) => a - b)
          .map(([top, height], index) => note(String(index), top, height));
        const tops = marginLayout(notes, String(held), 10);
        let free = 0;
        for (const { id, height } of notes) {
          const top = tops.get(id) ?? -1;
          expect(top).toBeGreaterThanOrEqual(free);
          free = top + height + 10;
        }
        const pivot = notes.find(({ id }) => id === String(held));
        const before = notes
          .filter(({ id }) => Number(id) < held)
          .reduce((sum, { height }) => sum + height + 10, 0);
        if (pivot) expect(tops.get(pivot.id)).toBe(Math.max(pivot.top, before));
      }),
      { seed: 20261121 },
    );
  });
});
