import { expect, it } from "vitest";
import { storableJson } from "./storable-text";

it("[LINE-9] what people wrote is stored without zero characters and halves of letters, wherever it stands", () => {
  const line = { to: 3, parts: [{ kind: "added", quote: "a\0b \ud83d", title: "😀" }], at: null };
  expect(storableJson([line])).toEqual([
    { to: 3, parts: [{ kind: "added", quote: "ab \ufffd", title: "😀" }], at: null },
  ]);
});
