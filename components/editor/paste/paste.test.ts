import { expect, test } from "vitest";
import { pasteRefusal } from "./paste";

test("[LIMIT-7] accepts a paste of 2 MB, and refuses a letter more", () => {
  const most = 2 * 1024 * 1024;
  expect([most - 1, most].map(pasteRefusal)).toEqual([null, null]);
  expect(pasteRefusal(most + 1)).toBe(
    "That’s 2.1 MB. Paste up to 2 MB at a time; your text is unchanged.",
  );
});
