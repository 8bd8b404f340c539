import fc from "fast-check";
import groups from "unicode-emoji-json/data-by-group.json";
import { describe, expect, it } from "vitest";
import { oneEmoji, pictographs } from "./emoji";

const all = groups.flatMap(({ emojis }) => emojis);
const tones = ["🏻", "🏼", "🏽", "🏾", "🏿"];
const isPictograph = (code: number) =>
  pictographs.some(([first, last]) => first <= code && code <= last);

describe("one emoji", () => {
  it("[ICON-2] is every emoji of the standard, in every skin tone", () => {
    const toned = all
      .filter(({ skin_tone_support: has }) => has)
      .flatMap(({ emoji }) =>
        tones.map((tone) => {
          const [first = "", ...rest] = emoji.replaceAll("\ufe0f", "");
          return [first, tone, ...rest].join("");
        }),
      );
    const people = ["👩🏽‍❤️‍💋‍👨🏿", "🧑🏻‍🤝‍🧑🏾", "👨‍👩‍👧‍👦"];
    const together = [...people, "🏴󠁧󠁢󠁷󠁬󠁳󠁿", "#️⃣", "🇭🇷", "❤"];
    const every = [...all.map(({ emoji }) => emoji), ...toned, ...together];
    expect(every.filter((emoji) => !oneEmoji.test(emoji))).toEqual([]);
    expect(every.filter((emoji) => [...emoji].length > 16)).toEqual([]);
    expect(every.length).toBeGreaterThan(3000);
  });

  it("[ICON-2] is no other single character", () => {
    for (let code = 0; code <= 0x10ffff; code += 1)
      if (oneEmoji.test(String.fromCodePoint(code)) !== isPictograph(code))
        throw new Error(`${code.toString(16)} is taken, or is not`);
    for (const [first, last] of pictographs)
      for (let code = first; code <= last; code += 1)
        expect(String.fromCodePoint(code)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u);
  });

  it.each([
    ["nothing", ""],
    ["a letter", "a"],
    ["a digit, which begins a keycap", "1"],
    ["two emoji", "🌊🌊"],
    ["an emoji and a letter", "🌊a"],
    ["an emoji and a space", "🌊 "],
    ["an emoji and the end of a line", "🌊\n"],
    ["an emoji after a control character", "\u0007🌊"],
    ["an emoji that turns the line around", "🌊\u202e"],
    ["an emoji inside of an isolate", "\u2068🌊\u2069"],
    ["a joiner", "\u200d"],
    ["an emoji with a joiner behind it", "👩\u200d"],
    ["a skin tone", "🏽"],
    ["a variation selector", "\ufe0f"],
    ["two variation selectors on one emoji", "❤\ufe0f\ufe0f"],
    ["half a flag", "🇭"],
    ["a flag and a half", "🇭🇷🇭"],
    ["unterminated tags", "🏴󠁧󠁢󠁷"],
    ["tags behind something else", "🌊󠁧󠁢󠁥󠁮󠁧󠁿"],
    ["half of a letter", "\ud83c"],
    ["more than five joined", "👩‍👩‍👩‍👩‍👩‍👩"],
    ["a letter with many combining marks", `a${"\u0301".repeat(9)}`],
  ])("[ICON-2] is not %s", (_what, text) => expect(oneEmoji.test(text)).toBe(false));

  it("[ICON-2] has no other text beside it", () => {
    const emoji = fc.constantFrom(...all.map((each) => each.emoji));
    const letter = fc.string({ unit: "binary", minLength: 1, maxLength: 3 });
    const joins = /^(?:\ufe0f|\u200d|[\u{1f3fb}-\u{1f3ff}])/u;
    fc.assert(
      fc.property(emoji, letter, (one, beside) => {
        fc.pre(!joins.test(beside));
        return !oneEmoji.test(one + beside) || one === "🏴";
      }),
      { numRuns: 2_000 },
    );
  });
});
