import { describe, expect, it } from "vitest";
import type { Report } from "./verification";
import { fingerprint, reportWords } from "./report-words";

const formatTime = (time: number) => `day ${time}`;
const seen = { version: 57, hash: "ab", at: 3 };
const wordsOf = (report: Report, since: string | null = "day 1") => {
  const { sound, found, meaning } = reportWords(report, since, formatTime);
  return { sound, text: [found, ...meaning].join(" ") };
};

describe("the words of a check", () => {
  it("[VERIFY-1] say that a history is intact, what was redacted and what this browser compared", () => {
    const head = { version: 1200, hash: "ab" };
    expect(wordsOf({ verdict: "intact", head, redacted: [5], seenBefore: 900 })).toEqual({
      sound: true,
      text: expect.stringMatching(
        new RegExp(
          "as it was recorded.*1 200 events.*1 event was redacted.*900 of them are the same that " +
            "this browser has seen before. The first of them it saw day 1",
        ),
      ),
    });
    expect(wordsOf({ verdict: "intact", head, redacted: [], seenBefore: 0 }).text).toContain(
      "had not seen this history before",
    );
    expect(
      wordsOf({ verdict: "intact", head, redacted: [], seenBefore: 0 }, null).text,
    ).not.toContain("browser");
    expect(
      wordsOf({ verdict: "intact", head: { version: 0, hash: null }, redacted: [], seenBefore: 0 }),
    ).toMatchObject({ sound: false });
  });

  it("[VERIFY-2] name the first event that differs, and the events that still stand", () => {
    for (const fault of [
      "missing-event",
      "other-stream",
      "content-missing",
      "redaction-differs",
      "content-differs",
      "chain-broken",
    ] as const) {
      const { sound, text } = wordsOf({ verdict: "damaged", version: 42, fault });
      expect(sound).toBe(false);
      expect(text).toMatch(/[Ee]vent 42.*Up to event 41 everything is as it was recorded/);
    }
    expect(wordsOf({ verdict: "damaged", version: 1, fault: "missing-event" }).text).toContain(
      "Nothing of it is proved",
    );
  });

  it("[VERIFY-5] name where a history left the one that was seen, and [VERIFY-4] where it ends too early", () => {
    expect(wordsOf({ verdict: "rewritten", version: 42, agreed: 41, seen }).text).toMatch(
      /From event 42 on.*same up to event 41.*day 3.*event 57/,
    );
    expect(wordsOf({ verdict: "shortened", version: 42, seen }).text).toMatch(
      /ends before event 42.*event 57.*day 3.*after event 41/,
    );
  });

  it("[VERIFY-9] name a text that its events do not add up to, without calling the events wrong", () => {
    const { sound, text } = wordsOf({ verdict: "other-text", head: { version: 1200, hash: "ab" } });
    expect(sound).toBe(false);
    expect(text).toMatch(
      /not what it adds up to.*All 1 200 events are sound, so nothing is lost.*made anew from its events/,
    );
  });

  it("[VERIFY-1] write a hash in groups that can be compared by eye", () => {
    expect(fingerprint("450249fd2b2a1ef6")).toBe("450249fd 2b2a1ef6");
  });
});
