import { expect, it } from "vitest";
import { broughtUpTo, writtenThere } from "./parent-changes";

const merge = (version: number, document: string, at: number, actorId = "Ana") => ({
  version,
  type: "document.merged",
  actorId,
  body: { document, version: at },
});
const takeBack = (version: number, from: number, to: number, actorId = "Ana") => ({
  version,
  type: "document.reworked",
  actorId,
  body: { kind: "author", author: actorId, from, to, quote: null },
});

it("[ACT-10] a fork has what stood in its parent when it was forked, and when that was last brought in", () => {
  expect(broughtUpTo([], "parent", 5)).toBe(5);
  expect(
    broughtUpTo(
      [merge(4, "parent", 9), merge(7, "other", 30), merge(9, "parent", 12)],
      "parent",
      5,
    ),
  ).toBe(12);
});

it("[ACT-10] [ACT-13] a merge that was taken back brought nothing, and one that was brought back did", () => {
  const undone = [
    merge(4, "parent", 9),
    merge(6, "parent", 12),
    merge(7, "parent", 12),
    takeBack(8, 6, 7),
  ];
  expect(broughtUpTo(undone, "parent", 5)).toBe(9);
  expect(broughtUpTo([...undone, takeBack(9, 8, 8)], "parent", 5)).toBe(12);
});

it("[ACT-10] what came from the fork itself is no news to it", () => {
  const edit = (version: number) => ({
    version,
    type: "document.edited",
    actorId: "Ben",
    body: null,
  });
  expect(writtenThere([edit(6), merge(7, "fork", 3), merge(8, "another", 3)], "fork")).toBe(2);
});
