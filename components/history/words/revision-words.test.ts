import { describe, expect, it } from "vitest";
import { row } from "@/events/history/timeline/rows.fixture";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { dateWords, inTrashAt, revisionWords, pauseWords } from "./revision-words";
import { numberWords } from "@/events/core/text/number-words";

describe("words of a revision", () => {
  it("give time, author, action and place", () => {
    const at = new Date(2026, 10, 14, 15, 42, 7).getTime();
    const timeline = openTimeline([
      row({ version: 1, actorId: "a", type: "document.created", body: { title: "Minutes" } }, at),
      row({ version: 2, actorId: "a" }, at + 1000),
    ]);
    expect(revisionWords(timeline, timeline.revision(0), "Ana")).toBe(
      "14 November, 15:42:07, Ana, edit 1 of 2, began the document",
    );
    expect(revisionWords(timeline, timeline.revision(1), "Ana")).toBe(
      "14 November, 15:42:08, Ana, edit 2 of 2",
    );
  });

  it("[HISTORY-15] say when the document was in the trash", () => {
    const timeline = openTimeline([
      row({ version: 1, actorId: "a", type: "document.created", body: { title: "Minutes" } }, 0),
      row({ version: 2, actorId: "a", type: "document.trashed", toPhase: "trashed" }, 1000),
      row({ version: 3, actorId: "a", type: "document.restored" }, 2000),
    ]);
    expect([0, 1, 2].map((index) => inTrashAt(timeline, index))).toEqual([false, true, false]);
  });

  it("format numbers, pauses and years", () => {
    expect([812, 4310, 1_000_000].map(numberWords)).toEqual(["812", "4 310", "1 000 000"]);
    expect([12_000, 59_600].map(pauseWords)).toEqual(["12 s", "1 min"]);
    expect([14, 200, 5 * 1440].map((minutes) => pauseWords(minutes * 60_000))).toEqual([
      "14 min",
      "3 hours",
      "5 days",
    ]);
    expect(dateWords(new Date(2025, 10, 3).getTime(), new Date(2026, 0, 1).getTime())).toBe(
      "3 November 2025",
    );
  });
});
