import { describe, expect, it } from "vitest";
import { absenceWords } from "../news/absence-words";
import {
  accountWords,
  activeWords,
  minutesWords,
  quoted,
  readersWords,
  shareWords,
  spanWords,
} from "./analysis-words";

const entry = {
  session: 0,
  author: 0,
  section: "The rule",
  isAboveHeadings: false,
  added: 0,
  removed: 0,
  atOnce: 0,
  addedText: [],
  removedText: [],
  from: 1,
  to: 1,
};

describe("the words of an account", () => {
  it("say what was added and deleted, and under which heading [UNDERSTAND-7]", () => {
    expect(accountWords({ ...entry, added: 12 })).toBe("added 12 words under “The rule”.");
    const above = { ...entry, section: null, isAboveHeadings: true };
    expect(accountWords({ ...above, added: 40, atOnce: 40 })).toBe(
      "added 40 words in one go at the beginning.",
    );
    expect(accountWords({ ...entry, removed: 1, removedText: ["hidden"] })).toBe(
      "deleted 1 word under “The rule”: “hidden”.",
    );
    expect(accountWords({ ...entry, added: 3, removed: 2, removedText: ["one", "two"] })).toBe(
      "added 3 words under “The rule” and deleted 2 words: “one”, “two”.",
    );
  });

  it("name no place in a text without headings [UNDERSTAND-7]", () => {
    const alone = { ...entry, section: null, removedText: ["one"] };
    expect(accountWords({ ...alone, added: 8 })).toBe("added 8 words.");
    expect(accountWords({ ...alone, removed: 1 })).toBe("deleted 1 word: “one”.");
    expect(accountWords({ ...alone, added: 8, removed: 1 })).toBe(
      "added 8 words and deleted 1 word: “one”.",
    );
  });

  it("format time spans, shares and long quotations", () => {
    const at = new Date(2026, 10, 14, 15, 42).getTime();
    expect(spanWords(at, at + 20_000, at)).toBe("14 November, 15:42");
    expect(spanWords(at, at + 120_000, at)).toBe("14 November, 15:42 to 15:44");
    expect(minutesWords(at, at + 20_000)).toBe("15:42");
    expect(minutesWords(at, at + 120_000)).toBe("15:42–15:44");
    expect([20_000, 14 * 60_000, 185 * 60_000].map(activeWords)).toEqual([
      "under a minute",
      "14 min",
      "3 h 05",
    ]);
    expect([0, 0.001, 0.426].map(shareWords)).toEqual(["0 %", "under 1 %", "43 %"]);
    expect(quoted("word ".repeat(60)).length).toBeLessThan(100);
  });

  it("say who can read the history, and who sees only named versions [UNDERSTAND-18]", () => {
    const visibilities = [
      ["everything", "everything"],
      ["versions", "everything"],
      ["everything", "versions"],
      ["versions", "versions"],
    ] as const;
    expect(visibilities.map(([viewer, commenter]) => readersWords({ viewer, commenter }))).toEqual([
      "Counted from the history, which everybody here can read.",
      "Counted from the history, which everybody here can read but viewers: they see named versions alone.",
      "Counted from the history, which everybody here can read but commenters: they see named versions alone.",
      "Counted from the history, which everybody here can read but viewers and commenters: " +
        "they see named versions alone.",
    ]);
  });

  it("say in one sentence what others did meanwhile [UNDERSTAND-14]", () => {
    const did = (actorId: string, words: number, edits = 1) => ({
      actorId,
      words,
      edits,
      comments: 0,
      others: 1,
    });
    expect(absenceWords([did("Ben", 24), did("Carol", 0)], (id) => id)).toBe(
      "Ben wrote about 24 words and Carol changed the text.",
    );
    expect(
      absenceWords(
        [did("A", 1), did("B", 0, 0), did("C", 2), did("D", 1), did("E", 1)],
        (id) => id,
      ),
    ).toBe(
      "A wrote about 1 word, B changed something about it, C wrote about 2 words and 2 more people changed it.",
    );
  });
});
