import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TimelineRow } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { row } from "@/events/history/timeline/rows.fixture";
import { threadsAt } from "@/machines/past-threads";
import { axisOf } from "./timeline-axis";
import { clustersOf, markersOf } from "./timeline-markers";
import { revisionAtTime } from "./revision-input";

const start = Date.UTC(2026, 10, 14, 15, 42);
const about = (kind: string, id: string) => ({ subject: { kind, id } });

function historyOf(...events: Partial<TimelineRow>[]) {
  return openTimeline(
    events.map((event, index) =>
      row({ version: index + 1, actorId: "Ana", ...event }, start + index * 1000),
    ),
  );
}

const markers = (
  timeline: ReturnType<typeof historyOf>,
  membershipChanges: Parameters<typeof markersOf>[1] = [],
) => markersOf(timeline, membershipChanges, (time) => revisionAtTime(timeline, time));

describe("the timeline bar’s markers", () => {
  it(
    "[HISTORY-13] [ICON-5] stand for versions at their revision with their current name, " +
      "and for comments, restores, titles and icons",
    () => {
      const timeline = historyOf(
        { type: "document.created", body: { title: "Minutes" } },
        {},
        {
          type: "thread.opened",
          body: { start: "a", end: "b", quote: "one click away" },
          ...about("thread", "t1"),
        },
        {
          type: "comment.added",
          body: { thread: "t1", text: "Which click?" },
          ...about("comment", "c1"),
        },
        {
          type: "comment.added",
          body: { thread: "t1", text: "This one." },
          actorId: "Ben",
          ...about("comment", "c2"),
        },
        { type: "version.named", body: { at: 2, name: "Draft" }, ...about("version", "v1") },
        { type: "version.renamed", body: { name: "First draft" }, ...about("version", "v1") },
        { type: "document.renamed", body: { title: "Notes" } },
        { type: "document.reverted", body: { toVersion: 2 } },
        { type: "document.icon_set", body: { emoji: "🌊" } },
        { type: "document.icon_set", body: { emoji: null } },
      );
      expect(
        markers(timeline).map(({ revision, kind, actorId, label, description }) => [
          revision,
          kind,
          actorId,
          label,
          description,
        ]),
      ).toEqual([
        [1, "version", "Ana", "First draft", "named this version “First draft”"],
        // Marked at the first comment, one revision after the thread was opened.
        [3, "comment", "Ana", "", "commented on “one click away”"],
        [4, "comment", "Ben", "", "answered “This one.”"],
        [7, "renamed", "Ana", "", "called it “Notes”"],
        [8, "restored", "Ana", "Restored", "restored an earlier version"],
        [9, "renamed", "Ana", "", "set the icon to 🌊"],
        [10, "renamed", "Ana", "", "removed the icon"],
      ]);
    },
  );

  it("[HISTORY-13] lead to revisions that show the marked comment", () => {
    const timeline = historyOf(
      { type: "document.created", body: { title: "Minutes" } },
      {
        type: "thread.opened",
        toPhase: "open",
        body: { start: "", end: "", quote: "one click" },
        ...about("thread", "t1"),
      },
      {
        type: "comment.added",
        toPhase: "shown",
        body: { thread: "t1", text: "Which click?" },
        ...about("comment", "c1"),
      },
      {},
      {
        type: "comment.added",
        toPhase: "shown",
        body: { thread: "t1", text: "This one." },
        ...about("comment", "c2"),
      },
    );
    expect(
      markers(timeline).map(({ revision }) =>
        threadsAt(timeline, revision).map(({ comments }) => comments.length),
      ),
    ).toEqual([[1], [2]]);
  });

  it("[HISTORY-13] stand for membership changes while the document was written, not before or after", () => {
    const timeline = historyOf({ type: "document.created", body: { title: "" } }, {}, {});
    const membershipChanges = [-5000, 1500, 9000].map((after, index) => ({
      key: `${index}`,
      userId: "Ben",
      time: start + after,
      left: index === 1,
    }));
    expect(markers(timeline, membershipChanges)).toEqual([
      {
        key: "1",
        revision: 1,
        kind: "left",
        actorId: "Ben",
        label: "",
        description: "left the workspace",
      },
    ]);
  });

  it("[HISTORY-13] never overlap, and none is lost", () => {
    const places = fc.array(fc.nat(200), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(places, fc.constantFrom(288, 700, 1300), (revisions, width) => {
        const timeline = historyOf(...Array.from({ length: 201 }, () => ({})));
        const own = revisions
          .toSorted((a, b) => a - b)
          .map((revision, index) => ({
            key: `${index}`,
            revision,
            kind: "comment" as const,
            actorId: "Ana",
            label: "Restored",
            description: "",
          }));
        const clusters = clustersOf(own, axisOf(timeline, "edits", width), width);
        expect(clusters.flatMap(({ markers: each }) => each)).toEqual(own);
        for (const [index, { left, label }] of clusters.slice(0, -1).entries()) {
          const available = ((clusters[index + 1]?.left ?? 0) - left) * width;
          expect(available).toBeGreaterThanOrEqual(label === "" ? 24 - 1e-6 : 86);
        }
      }),
    );
  });
});
