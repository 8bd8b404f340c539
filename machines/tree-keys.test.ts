import { describe, expect, it } from "vitest";
import { rowByTitle, treeAction } from "./tree-keys";
import { dropMove, keyMove, lastInside, placeBehind, placeOf } from "./tree-moves";
import { aboveOf, insideOf, rowsOf } from "./tree-rows";

const document = (id: string, parent: string | null, rank: number) => ({
  id,
  parent,
  rank: `8000000${rank}`,
  title: { a: "Attic", b: "Balcony", c: "Cellar", d: "Attics", e: "" }[id] ?? "",
});

/** The tree a(b(e) c) d, with a open. */
const documents = [
  document("c", "a", 2),
  document("a", null, 0),
  document("d", null, 1),
  document("b", "a", 1),
  document("e", "b", 0),
];
const inside = insideOf(documents);
const isOpen = (id: string) => id === "a";
const rows = rowsOf(inside, isOpen).map((row) => ({ ...row, isOpen: isOpen(row.document.id) }));

describe("the rows of the tree", () => {
  it("[TREE-7] come from the top down with levels and positions, without those in closed documents", () => {
    expect(
      rows.map(({ document: { id }, level, position, size }) => [id, level, position, size]),
    ).toEqual([
      ["a", 1, 1, 2],
      ["b", 2, 1, 2],
      ["c", 2, 2, 2],
      ["d", 1, 2, 2],
    ]);
    expect(aboveOf(documents, "e").map(({ id }) => id)).toEqual(["a", "b"]);
    expect(aboveOf(documents, undefined)).toEqual([]);
  });

  it("[TREE-7] put a document with a missing parent at the top level", () => {
    const orphaned = insideOf([document("b", "a", 1), document("e", "b", 0)]);
    expect(rowsOf(orphaned, () => true).map(({ document: { id }, level }) => [id, level])).toEqual([
      ["b", 1],
      ["e", 2],
    ]);
  });
});

describe("a key on a row of the tree", () => {
  it("[TREE-7] moves the focus, opens and closes", () => {
    const said = (id: string, ...keys: string[]) => keys.map((key) => treeAction(rows, id, key));
    expect(said("a", "ArrowDown", "ArrowUp", "End", "ArrowRight", "ArrowLeft")).toEqual([
      { focus: "b" },
      null,
      { focus: "d" },
      { focus: "b" },
      { close: ["a"] },
    ]);
    expect(said("b", "ArrowRight", "ArrowLeft", "*", "Home", "x")).toEqual([
      { open: ["b"] },
      { focus: "a" },
      { open: ["b"] },
      { focus: "a" },
      null,
    ]);
    expect(said("d", "ArrowRight", "*", "ArrowDown")).toEqual([null, { open: ["a"] }, null]);
  });

  it("[TREE-7] moves to the next title that begins with the typed letters", () => {
    expect(rowByTitle(rows, "a", "a")).toBe("d");
    expect(rowByTitle(rows, "a", "at")).toBe("a");
    expect(rowByTitle(rows, "d", "B")).toBe("b");
    expect(rowByTitle(rows, "a", "z")).toBeNull();
  });

  it("[TREE-7] moves a document past siblings, into the one above, and out", () => {
    expect(keyMove(inside, "c", "ArrowUp")).toEqual({ parent: "a", after: null });
    expect(keyMove(inside, "b", "ArrowDown")).toEqual({ parent: "a", after: "c" });
    expect(keyMove(inside, "c", "ArrowRight")).toEqual({ parent: "b", after: "e" });
    expect(keyMove(inside, "c", "ArrowLeft")).toEqual({ parent: null, after: "a" });
    const nowhere = [
      keyMove(inside, "a", "ArrowUp"),
      keyMove(inside, "a", "ArrowLeft"),
      keyMove(inside, "a", "ArrowRight"),
      keyMove(inside, "d", "ArrowDown"),
      keyMove(inside, "nothing", "ArrowUp"),
    ];
    expect(nowhere).toEqual([null, null, null, null, null]);
  });
});

it("[TREE-7] a drop lands before, inside or after a document, or first inside an open one", () => {
  expect(dropMove(inside, "d", "before", false)).toEqual({ parent: null, after: "a" });
  expect(dropMove(inside, "a", "before", true)).toEqual({ parent: null, after: null });
  expect(dropMove(inside, "d", "inside", false)).toEqual({ parent: "d", after: null });
  expect(dropMove(inside, "a", "inside", true)).toEqual({ parent: "a", after: "c" });
  expect(dropMove(inside, "c", "after", false)).toEqual({ parent: "a", after: "c" });
  expect(dropMove(inside, "a", "after", true)).toEqual({ parent: "a", after: null });
  expect(placeOf(inside, "c")).toEqual({ parent: "a", after: "b" });
  expect(placeBehind(inside, "b")).toEqual({ parent: "a", after: "b" });
  expect(lastInside(inside, null)).toEqual({ parent: null, after: "d" });
});
