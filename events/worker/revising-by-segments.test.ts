import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "@/events/core/cases.fixture";
import { anyGesture, richEdits } from "@/events/crdt/updates/rich-edits.fixture";
import type { Gesture } from "@/events/crdt/updates/rich-edits.fixture";
import { SegmentBuilder } from "@/events/history/segments/segment";
import { row, stream } from "@/events/history/timeline/rows.fixture";
import type { TimelineRow } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { previewOf } from "@/events/revisions/restore-preview";
import type { RestoreRequest } from "@/events/revisions/restore";
import { Revising } from "./revising";
import { FakeRevisionWorker } from "./revision-worker.fixture";

const acting = {
  userId: "Ben",
  clientId: 4_000_000_001,
  time: Date.UTC(2026, 10, 14),
  eventId: "00000000-0000-4000-8000-000000000099",
};

const rowsOf = (gestures: Gesture[], apart: number): TimelineRow[] =>
  stream(
    "Minutes",
    richEdits(gestures, apart).map(({ client, update }, at) => [
      { update, time: at * 100, actorId: `of ${client}` },
    ]),
  );

function segmentsOf(rows: readonly TimelineRow[]): Uint8Array[] {
  const builder = new SegmentBuilder();
  for (const each of rows) builder.add(each);
  const last = builder.finish();
  return last ? [last.bytes] : [];
}

/**
 * Creates a log with its first `segmented` rows in segments. `reads` are the versions after which
 * its pages were read.
 */
function loggedWith(rows: TimelineRow[], segmented: number) {
  const log = { rows, segments: segmentsOf(rows.slice(0, segmented)), reads: [] as number[] };
  const fake = new FakeRevisionWorker();
  const source = {
    read: async (_stream: string, after: number, max = 1000) => {
      log.reads.push(after);
      return log.rows.filter(({ version }) => version > after).slice(0, max);
    },
    async *segments() {
      yield* log.segments;
    },
  };
  const revising = new Revising({ source, documentId: "d", job: () => fake.jobs.job() });
  const previewed = async (request: RestoreRequest) => {
    const preview = await revising.previewed(request, acting);
    return preview && { ...preview, timeline: preview.timeline.data };
  };
  const expected = (request: RestoreRequest) => {
    const preview = previewOf(request, log.rows, acting);
    return preview && { ...preview, timeline: preview.timeline.data };
  };
  return { log, previewed, expected };
}

const revisionOf = (rows: readonly TimelineRow[], index: number): RestoreRequest => ({
  kind: "revision",
  timeline: openTimeline(rows),
  index,
});

describe("[ACT-17] a restore of a document that has segments", () => {
  it("equals the one that the current log gives while others write", async () => {
    let again = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyGesture, { minLength: 8, maxLength: 50 }),
        fc.integer({ min: 1, max: 20 }),
        fc.nat(),
        async (gestures, apart, pick) => {
          const rows = rowsOf(gestures, apart);
          const { log, previewed, expected } = loggedWith(rows, Math.ceil(rows.length / 3));
          const request = revisionOf(rows, pick % Math.ceil(rows.length / 3));
          for (const share of [0.4, 0.6, 0.8, 1]) {
            log.rows = rows.slice(0, Math.ceil(rows.length * share));
            const wanted = expected(request);
            expect(await previewed(request)).toEqual(wanted);
            if (wanted) again += 1;
          }
        },
      ),
      { numRuns: cases(100) },
    );
    expect(again).toBeGreaterThan(cases(200));
  });

  it("equals the one that the whole log gives, for any concurrent writing", async () => {
    let changing = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyGesture, { minLength: 6, maxLength: 50 }),
        fc.integer({ min: 1, max: 20 }),
        fc.nat(),
        fc.nat(),
        async (gestures, apart, cut, pick) => {
          const rows = rowsOf(gestures, apart);
          const segmented = 1 + (cut % rows.length);
          const { log, previewed, expected } = loggedWith(rows, segmented);
          const request = revisionOf(rows, pick % rows.length);
          const wanted = expected(request);
          expect(await previewed(request)).toEqual(wanted);
          expect(log.reads).toEqual([segmented]);
          const event: RestoreRequest = {
            kind: "events",
            from: 1 + (pick % rows.length),
            to: rows.length,
            actorId: "of 7",
          };
          expect(await previewed(event)).toEqual(expected(event));
          if (wanted) changing += 1;
        },
      ),
      { numRuns: cases(100) },
    );
    expect(changing).toBeGreaterThan(cases(50));
  });

  const rows = rowsOf(
    Array.from({ length: 40 }, (_, at) => ({
      kind: at % 2,
      at,
      size: at * 7,
      writer: at % 3,
      word: "word ",
    })),
    2,
  );

  it("is made from the log if a segment cannot be read", async () => {
    const { log, previewed, expected } = loggedWith(rows, 20);
    log.segments = [Uint8Array.of(1, 2, 3)];
    const request = revisionOf(rows, 9);
    expect(await previewed(request)).toEqual(expected(request));
    expect(log.reads[0]).toBe(0);
  });

  it("holds nothing that was redacted since its segments were made", async () => {
    const { log, previewed, expected } = loggedWith(rows, 20);
    const request = revisionOf(rows, 9);
    log.rows = [
      ...rows.map((each) => (each.version === 5 ? { ...each, update: null } : each)),
      row({ version: rows.length + 1, actorId: "Ana", type: "document.redacted" }, 10 ** 9),
    ];
    expect(await previewed(request)).toEqual(expected(request));
    expect(log.reads.slice(0, 2)).toEqual([20, 0]);
  });

  it("is made from the log if it needs the importer of a name in a file", async () => {
    const { log, previewed, expected } = loggedWith(rows, 20);
    const timeline = openTimeline(rows);
    const request: RestoreRequest = {
      kind: "author",
      timeline,
      author: "imported:0",
      from: 0,
      to: timeline.length - 1,
    };
    expect(await previewed(revisionOf(rows, 9))).toEqual(expected(revisionOf(rows, 9)));
    expect(await previewed(request)).toEqual(expected(request));
    expect(log.reads.slice(0, 2)).toEqual([20, 0]);
  });
});
