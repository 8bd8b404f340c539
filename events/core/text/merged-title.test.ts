import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { longestTitle } from "./text-lengths";
import { cases } from "../cases.fixture";
import { mergedTitle } from "./merged-title";

const merged = (base: string, typed: string, recorded: string) =>
  mergedTitle(base, typed, recorded, longestTitle);

describe("two edits of one title", () => {
  it.each([
    ["words at both ends", "Plan", "Budget Plan", "Plan 2026", "Budget Plan 2026"],
    ["two endings", "Plan", "Plan for Ana", "Plan for Ben", "Plan for Ben Ana"],
    ["one word written in two ways", "Plan", "Planning", "Plans", "Plans Planning"],
    ["two beginnings", "", "Road map", "Budget", "Budget Road map"],
    ["the same word", "", "Budget", "Budget", "Budget"],
    [
      "the same correction",
      "Minuts of May",
      "Minutes of May",
      "Minutes of June",
      "Minutes of June",
    ],
    ["two words beside each other", "Old plan", "New plan", "Old scheme", "New scheme"],
    ["one deleted, one extended", "Draft plan", "Draft plan 2026", "plan", "plan 2026"],
    ["scripts without spaces", "東京の計画", "東京の新計画", "東京の計画案", "東京の新計画案"],
    ["a script with spaces beside one without", "計画", "計画 Tokyo", "計画2026", "計画2026 Tokyo"],
    ["words with signs in them", "foo-bar", "foo-baz", "fob-bar", "fob-bar foo-baz"],
    ["emoji of several code points", "Plan", "👩‍👩‍👧 Plan", "Plan 🇫🇷", "👩‍👩‍👧 Plan 🇫🇷"],
  ])("[TITLE-1] keeps both: %s", (_name, base, typed, recorded, outcome) => {
    expect(merged(base, typed, recorded)).toBe(outcome);
  });

  it("[TITLE-1] takes the other title where one person changed nothing", () => {
    expect(merged("Plan  a", "Plan  a", "Plan b")).toBe("Plan b");
    expect(merged("Plan  a", "Plan c", "Plan  a")).toBe("Plan c");
  });

  it("[TITLE-1] is null if the title would be too long for the log", () => {
    const half = "ab ".repeat(60).trim();
    expect(merged("", half, "c".repeat(100))).not.toBeNull();
    expect(merged("", half, "c".repeat(130))).toBeNull();
  });

  const word = fc.stringMatching(/^[a-c]{1,2}$/);
  const title = fc.array(word, { maxLength: 6 });
  const edited = (base: string[]) =>
    fc.array(fc.record({ kept: fc.boolean(), typed: fc.array(word, { maxLength: 2 }) }), {
      minLength: base.length + 1,
      maxLength: base.length + 1,
    });
  const made = (base: string[], edit: { kept: boolean; typed: string[] }[]) =>
    edit.flatMap(({ kept, typed }, index) => {
      const own = base[index];
      return [...typed, ...(own !== undefined && kept ? [own] : [])];
    });
  /** Returns the words that a title has more often than the previous title. */
  const added = (from: string[], to: string[]) => {
    const left = [...from];
    return to.filter((each) => {
      const at = left.indexOf(each);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  };

  it("[TITLE-1] keeps every word that either person added, and adds no other", () => {
    const situation = title.chain((base) =>
      fc.tuple(fc.constant(base), edited(base), edited(base)),
    );
    fc.assert(
      fc.property(situation, ([base, first, second]) => {
        const [recorded, typed] = [made(base, first), made(base, second)];
        const outcome = (merged(base.join(" "), typed.join(" "), recorded.join(" ")) ?? "")
          .split(" ")
          .filter((each) => each !== "");
        for (const each of [...added(base, recorded), ...added(base, typed)])
          expect(outcome).toContain(each);
        for (const each of outcome) expect([...recorded, ...typed]).toContain(each);
        expect(outcome.length).toBeLessThanOrEqual(recorded.length + typed.length);
      }),
      { numRuns: cases(600) },
    );
  });

  it("[TITLE-1] keeps the order of each text that is typed into an empty title", () => {
    const text = fc
      .stringMatching(/^[a-z東京の한국 👍🏽'-]{0,20}$/u)
      .map((each) => each.trim().replace(/\s+/gu, " "));
    fc.assert(
      fc.property(text, text, (typed, recorded) => {
        const letters = [...(merged("", typed, recorded) ?? "").replaceAll(" ", "")];
        for (const side of [typed, recorded]) {
          let at = -1;
          for (const letter of side.replaceAll(" ", "")) {
            at = letters.indexOf(letter, at + 1);
            expect(at, `${letter} of ${side}`).toBeGreaterThanOrEqual(0);
          }
        }
      }),
      { numRuns: cases(300) },
    );
  });
});
