import { describe, expect, it } from "vitest";
import type { Ruled } from "@/events/core/envelope";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { row } from "@/events/history/timeline/rows.fixture";
import { spanOf } from "@/machines/replay/replay-opening";
import { openingOf } from "@/components/history/playback/revision-address";
import { replayAddress } from "./news";
import type { News } from "./news";

const start = Date.UTC(2026, 10, 14, 15, 42);
const news = (since: number, until: number, more = false): News => ({
  since,
  at: null,
  until,
  absence: [],
  more,
});

function historyOf(...types: Ruled["type"][]) {
  return openTimeline(
    types.map((type, index) =>
      row(
        { version: index + 1, actorId: "Ana", type, body: { title: `Title ${index}` } },
        start + index * 1_000,
      ),
    ),
  );
}

function played(address: string, timeline: ReturnType<typeof historyOf>): number[] {
  const span = spanOf(timeline, openingOf(new URLSearchParams(address)));
  return span ? [span.from, span.to] : [];
}

describe("the replay of news", () => {
  const timeline = historyOf(
    "document.created",
    "document.renamed",
    "document.renamed",
    "document.renamed",
  );

  it("[UNDERSTAND-14] begins at the revision before the first missed event", () => {
    expect(played(replayAddress(news(2, 4), 4), timeline)).toEqual([1, 3]);
    expect(played(replayAddress(news(3, 4), 4), timeline)).toEqual([2, 3]);
  });

  it("[UNDERSTAND-14] ends at the present if only the start was counted", () => {
    expect(played(replayAddress(news(1, 3, true), 4), timeline)).toEqual([0, 3]);
    expect(played(replayAddress(news(1, 3), 4), timeline)).toEqual([0, 2]);
  });
});
