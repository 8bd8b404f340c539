import { describe, expect, test } from "vitest";
import { foldListing, listRequest, type ListRow } from "./storage-listing";

const row = (name: string, day: number): ListRow => ({
  id: name,
  name,
  created_at: `2026-11-0${day}T00:00:00+00:00`,
  updated_at: `2026-11-0${day}T00:00:00+00:00`,
  metadata: { size: day },
});
const rows = [
  row("a/2.txt", 1),
  row("a/1.txt", 2),
  row("a/b/3.txt", 3),
  row("a/b/c/4.txt", 4),
  row("ab/5.txt", 5),
  row("6.txt", 6),
];
const names = (folder: string, request: object = {}) =>
  foldListing(rows, folder, listRequest.parse(request)).map(({ name }) => name);

describe("a folder of storage", () => {
  test("holds its own objects and folders, not those of its neighbours", () => {
    expect(names("")).toEqual(["6.txt", "a", "ab"]);
    expect(names("a")).toEqual(["1.txt", "2.txt", "b"]);
    expect(names("a/b")).toEqual(["3.txt", "c"]);
    expect(names("nowhere")).toEqual([]);
  });

  test("gives folders no id, and objects theirs", () => {
    expect(foldListing(rows, "a", listRequest.parse({})).map(({ id }) => id)).toEqual([
      "a/1.txt",
      "a/2.txt",
      null,
    ]);
  });

  test("is sorted, searched and cut after folding", () => {
    expect(names("a", { sortBy: { column: "created_at", order: "desc" } })).toEqual([
      "1.txt",
      "2.txt",
      "b",
    ]);
    expect(names("a", { search: ".TXT" })).toEqual(["1.txt", "2.txt"]);
    expect(names("a", { limit: 1, offset: 1 })).toEqual(["2.txt"]);
  });
});
