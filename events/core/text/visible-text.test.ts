import { describe, expect, it } from "vitest";
import { emptyOrVisible, invisible, normalizedName } from "./visible-text";

const isInvisible = (code: number) =>
  invisible.some(([first, last]) => first <= code && code <= last);

describe("[LOG-36] invisible text", () => {
  it(
    "covers all space, all controls and all ignorable code " +
      "points, and no letter, number or sign",
    () => {
      const missing: string[] = [];
      const seen: string[] = [];
      for (let code = 0; code <= 0x10ffff; code += 1) {
        const char = String.fromCodePoint(code);
        if (
          /^[\p{White_Space}\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]$/u.test(char) &&
          !isInvisible(code)
        )
          missing.push(code.toString(16));
        if (
          /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(char) &&
          !/\p{Default_Ignorable_Code_Point}/u.test(char) &&
          isInvisible(code) &&
          code !== 0x2800
        )
          seen.push(code.toString(16));
        if (emptyOrVisible.test(char) === isInvisible(code))
          throw new Error(`the pattern says something else about ${code.toString(16)}`);
      }
      expect([missing, seen]).toEqual([[], []]);
    },
  );

  it.each([
    ["", ""],
    ["  Ana  ", "Ana"],
    ["\u200b\u200d\u2060", ""],
    ["\u3164", ""],
    ["\u2800 \u00ad", ""],
    ["a\u200db", "a\u200db"],
    ["❤\ufe0f", "❤\ufe0f"],
    ["\t\u200bליאת", "\u200bליאת"],
    ["👩\u200d🚀 ", "👩\u200d🚀"],
    ["\ufeff", ""],
    ["\u{e0041}", ""],
    ["\ud800", ""],
  ])("%j is kept as %j", (given, normalized) => {
    expect(normalizedName(given)).toBe(normalized);
    expect(emptyOrVisible.test(normalized)).toBe(true);
  });
});
