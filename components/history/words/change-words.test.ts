import { expect, it } from "vitest";
import { summaryWords } from "./change-words";

it("[ICON-5] a comparison says if title or icon differ", () => {
  const same = { before: "T", after: "T" };
  const none = { before: null, after: null };
  const said = (title: typeof same, icon: { before: string | null; after: string | null }) =>
    summaryWords(
      { from: 0, to: 1, rows: [], changes: [], words: { in: 0, out: 0 }, moves: 0, title, icon },
      [],
    );
  expect(said(same, none)).toBe("Nothing differs between these two moments.");
  expect(said(same, { before: null, after: "🌊" })).toBe(
    "The text is the same; only the icon changed.",
  );
  expect(said({ before: "T", after: "U" }, { before: "🌊", after: null })).toBe(
    "The text is the same; only the title and the icon changed.",
  );
});
