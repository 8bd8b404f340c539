import { expect, it } from "vitest";
import { holdersOf } from "./holders";
import type { CopyInRow } from "./holders";

const fork = (
  from: string,
  at: number,
  into: string,
  more: Partial<CopyInRow> = {},
): CopyInRow => ({
  from,
  at,
  into,
  version: 2,
  kind: "fork",
  redacted: false,
  ...more,
});
const merge = (from: string, at: number, into: string, version: number): CopyInRow => ({
  from,
  at,
  into,
  version,
  kind: "merge",
  redacted: false,
});
const holdersIn = (copyIns: CopyInRow[], document: string, ...versions: number[]) =>
  holdersOf(copyIns, { document, versions })
    .map(({ document, kind, sure }) => `${document} ${kind}${sure ? "" : "?"}`)
    .sort();

it("[REDACT-9] forks made since the words were written hold them, and so do the forks of these forks", () => {
  const family = [
    fork("main", 5, "early"),
    fork("main", 9, "late"),
    fork("late", 2, "later"),
    fork("early", 7, "other"),
  ];
  expect(holdersIn(family, "main", 6)).toEqual(["late fork", "later fork"]);
  expect(holdersIn(family, "main", 12)).toEqual([]);
});

it(
  "[REDACT-9] a parent holds words that were merged from its " +
    "fork, and so do the forks made since",
  () => {
    const family = [
      fork("main", 5, "side"),
      merge("side", 8, "main", 11),
      fork("main", 10, "before"),
      fork("main", 11, "after"),
    ];
    expect(holdersIn(family, "side", 7)).toEqual(["after fork", "main merge"]);
    expect(holdersIn(family, "side", 9)).toEqual([]);
  },
);

it("[REDACT-9] a fork holds later words of its parent once they were brought in", () => {
  const family = [
    fork("main", 5, "side"),
    merge("main", 8, "side", 4),
    merge("side", 4, "main", 12),
    fork("side", 3, "old"),
    fork("side", 4, "new"),
  ];
  expect(holdersIn(family, "main", 7)).toEqual(["new fork", "side merge"]);
});

it(
  "[REDACT-9] words that a document began with are held by its source, and perhaps by relatives " +
    "of the source",
  () => {
    const family = [
      fork("root", 3, "main"),
      fork("main", 9, "side"),
      fork("main", 10, "sister"),
      fork("main", 4, "elder"),
      merge("late", 2, "main", 12),
      fork("main", 11, "late"),
    ];
    expect(holdersIn(family, "side", 2)).toEqual([
      "elder fork?",
      "late fork",
      "main source",
      "root source?",
      "sister fork",
    ]);
  },
);

it("[REDACT-9] words that occur more than once are held by each document that got one of them", () => {
  const family = [fork("main", 5, "side")];
  expect(holdersIn(family, "main", 8)).toEqual([]);
  expect(holdersIn(family, "main", 8, 4)).toEqual(["side fork"]);
  expect(holdersIn(family, "side", 6, 2)).toEqual(["main source"]);
});

it(
  "[REDACT-9] a fork with a redacted beginning holds nothing, unless a part of it was not " +
    "redacted",
  () => {
    expect(holdersIn([fork("main", 5, "side", { redacted: true })], "main", 3)).toEqual([]);
    expect(
      holdersIn(
        [fork("main", 5, "side", { redacted: true }), fork("main", 5, "side", { version: 3 })],
        "main",
        3,
      ),
    ).toEqual(["side fork"]);
  },
);
