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

it("[ACT-10] a fork holds the text of its parent up to the fork, or up to the last merge", () => {
  expect(broughtUpTo([], "parent", 5)).toBe(5);
  expect(
    broughtUpTo(
      [merge(4, "parent", 9), merge(7, "other", 30), merge(9, "parent", 12)],
      "parent",
      5,
    ),
  ).toBe(12);
});

it("[ACT-10] [ACT-13] a reverted merge brought nothing, and one whose revert was reverted did", () => {
  const undone = [
    merge(4, "parent", 9),
    merge(6, "parent", 12),
    merge(7, "parent", 12),
    takeBack(8, 6, 7),
  ];
  expect(broughtUpTo(undone, "parent", 5)).toBe(9);
  expect(broughtUpTo([...undone, takeBack(9, 8, 8)], "parent", 5)).toBe(12);
});

it("[ACT-10] content that came from the fork is not new to it", () => {
  const edit = (version: number) => ({
    version,
    type: "document.edited",
    actorId: "Ben",
    body: null,
  });
  expect(writtenThere([edit(6), merge(7, "fork", 3), merge(8, "another", 3)], "fork")).toBe(2);
});
