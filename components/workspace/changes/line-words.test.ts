import { describe, expect, it } from "vitest";
import type { ChangeLine, LinePart } from "@/events/read-models/change-lines";
import { amountWords, largestLine, lineWords, unreadWords } from "./line-words";

const line = (...parts: LinePart[]): ChangeLine => ({
  documentId: "d",
  actorId: "ben",
  from: 1,
  to: 2,
  began: "2026-11-24T10:00:00Z",
  at: "2026-11-24T10:05:00Z",
  added: 0,
  removed: 0,
  changes: 1,
  parts,
});
const context = {
  clock: { now: Date.UTC(2026, 10, 24), zone: "UTC" },
  whose: (id: string) => (id === "ana" ? "your" : "Carol’s"),
};
const sentence = (...parts: LinePart[]) =>
  lineWords(line(...parts), context)
    .map(({ text }) => text)
    .join("");

describe("the words of a line", () => {
  it.each<[string, LinePart[]]>([
    [
      "replaced “£2,400” with “£3,100” in Heating",
      [{ kind: "replaced", out: "£2,400", in: "£3,100", section: "Heating" }],
    ],
    [
      "added 212 words under The roof",
      [{ kind: "added", words: 212, quote: null, section: "The roof" }],
    ],
    ["added 1 word", [{ kind: "added", words: 1, quote: null, section: null }]],
    ["added “in May”", [{ kind: "added", words: 2, quote: "in May", section: null }]],
    [
      "rewrote 6 words under The roof and deleted “closed on Mondays”",
      [
        { kind: "rewrote", words: 6, section: "The roof" },
        { kind: "removed", words: 3, quote: "closed on Mondays", section: null },
      ],
    ],
    ["moved 31 words to Seeds", [{ kind: "moved", words: 31, quote: null, section: "Seeds" }]],
    [
      "made “The roof” a heading",
      [{ kind: "retyped", to: "heading", quote: "The roof", section: null }],
    ],
    [
      "restored the version of 18 November, 10:05",
      [{ kind: "restored", at: "2026-11-18T10:05:00Z" }],
    ],
    ["created it and wrote 84 words", [{ kind: "began", words: 84 }]],
    ["renamed it", [{ kind: "renamed", title: "Budget" }]],
    ["named a version “As agreed”", [{ kind: "named", name: "As agreed" }]],
    [
      "replied to your comment on “two packets each”",
      [{ kind: "replied", quote: "two packets each", to: "ana", count: 1 }],
    ],
    ["resolved a discussion", [{ kind: "event", type: "thread.resolved", count: 1 }]],
    ["changed something", [{ kind: "event", type: "document.sung", count: 1 }]],
    ["changed it", []],
  ])("[HOME-9] are “%s”", (words, parts) => {
    expect(sentence(...parts)).toBe(words);
  });

  it("[HOME-9] say how much was changed, and how much of it is unread", () => {
    const wrote = (added: number, removed: number, changes: number) => ({
      ...line({ kind: "rewrote", words: added, section: null }),
      added,
      removed,
      changes,
    });
    expect(
      [wrote(38, 17, 1), wrote(5, 0, 1), wrote(0, 1, 1), wrote(0, 0, 1)].map(amountWords),
    ).toEqual(["38 words added, 17 deleted", "5 words added", "1 word deleted", ""]);
    const reply = line({ kind: "replied", quote: "x", to: "ana", count: 1 });
    expect(
      [[wrote(1, 0, 3), wrote(1, 0, 1)], [reply], [reply, reply], [wrote(1, 0, 1), reply], []].map(
        (lines) => unreadWords(lines).text,
      ),
    ).toEqual([
      "See 4 changes",
      "See 1 reply",
      "See 2 replies",
      "See 2 changes",
      "See what changed",
    ]);
    expect(largestLine([reply, wrote(1, 0, 1), wrote(2, 9, 1)])).toMatchObject({ removed: 9 });
  });
});
