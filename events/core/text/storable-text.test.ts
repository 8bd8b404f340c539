import { expect, it } from "vitest";
import { storableJson } from "./storable-text";

it("[LINE-9] stored text has no NUL and no lone surrogate, at any depth", () => {
  const line = { to: 3, parts: [{ kind: "added", quote: "a\0b \ud83d", title: "😀" }], at: null };
  expect(storableJson([line])).toEqual([
    { to: 3, parts: [{ kind: "added", quote: "ab \ufffd", title: "😀" }], at: null },
  ]);
});
