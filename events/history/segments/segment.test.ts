import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { cases } from "@/events/core/cases.fixture";
import { documentAt } from "@/events/history/timeline/document-text";
import { Recording } from "@/events/history/timeline/recording";
import { anyGesture, richEdits } from "@/events/crdt/updates/rich-edits.fixture";
import { row, stream } from "@/events/history/timeline/rows.fixture";
import type { AuthoredEdit } from "@/events/history/timeline/rows.fixture";
import { SegmentBuilder } from "./segment";
import type { Segment } from "./segment";
import { SegmentError } from "./segment-columns";
import { readSegment } from "./segment-reader";
import type { TimelineRow } from "@/events/history/timeline/timeline";
import { openTimeline, timelineOf } from "@/events/history/timeline/timeline-builder";

const start = Date.UTC(2026, 10, 14, 15, 42);
const people = new Map([
  [3_141_592_653, "Ana"],
  [7, "Ben"],
  [2 ** 40 + 1, "Carol"],
]);

function rowsOf(gestures: Parameters<typeof richEdits>[0], apart: number): TimelineRow[] {
  const batches: AuthoredEdit[][] = [];
  richEdits(gestures, apart).forEach(({ client, update }, index) => {
    const edit = { update, time: start + index * 170, actorId: people.get(client) ?? "" };
    const last = batches.at(-1);
    if (last && last.length < 4 && last[0]?.actorId === edit.actorId) last.push(edit);
    else batches.push([edit]);
  });
  const rows = stream("Minutes", batches);
  const version = rows.length + 1;
  return [
    ...rows,
    row(
      { version, actorId: "Ben", type: "document.renamed", body: { title: "Later" } },
      start + 10 ** 7,
    ),
  ];
}

/**
 * Builds segments that end at these versions, each with a new recording of the previous segments.
 */
function segmentsOf(rows: TimelineRow[], cuts: number[]): Segment[] {
  const segments: Segment[] = [];
  const ends = [...new Set([...cuts.map((cut) => 1 + (cut % rows.length)), rows.length])].sort(
    (a, b) => a - b,
  );
  for (const end of ends) {
    const builder = new SegmentBuilder(opened(segments));
    for (const each of rows.slice(segments.at(-1)?.toVersion ?? 0, end)) builder.add(each);
    const segment = builder.finish();
    if (segment) segments.push(segment);
  }
  return segments;
}

function opened(segments: Segment[]): Recording {
  const recording = new Recording();
  for (const { bytes } of segments) readSegment(recording, bytes);
  recording.catchUp();
  return recording;
}

const typing = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    kind: index === 0 ? 0 : 1,
    at: 0,
    size: index,
    writer: 0,
    word: "x",
  }));

describe("segments", () => {
  it("read the same as the log they were built from, wherever it was cut [SEGMENT-1]", () => {
    fc.assert(
      fc.property(
        fc.array(anyGesture, { minLength: 4, maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.nat(), { maxLength: 3 }),
        (gestures, apart, cuts) => {
          const rows = rowsOf(gestures, apart);
          const segments = segmentsOf(rows, cuts);
          const last = segments.at(-1);
          // The newest events form a tail without a segment.
          const recording = opened(cuts.length > 0 ? segments.slice(0, -1) : segments);
          for (const each of rows.slice(recording.revisions.version)) recording.add(each, null);
          expect(last?.toVersion).toBe(rows.length);
          expect(opened(segments).finish()).toEqual(recording.finish());
          const [timeline, decoded] = [openTimeline(rows), timelineOf(opened(segments).finish())];
          for (let at = 0; at < timeline.length; at += 1) {
            expect(decoded.revision(at)).toEqual(timeline.revision(at));
            if (at % 7 === 0)
              expect(documentAt(decoded.blocks, at)).toEqual(documentAt(timeline.blocks, at));
          }
          expect(decoded.marks).toEqual(timeline.marks);
        },
      ),
      { numRuns: cases(100) },
    );
  });

  it("keep rejected edits, and store an edit of one letter in under four bytes [SEGMENT-1]", () => {
    const rows = rowsOf(typing(400), 1);
    const forger = new Y.Doc();
    forger.clientID = 3_141_592_653;
    forger.getXmlFragment("default").insert(0, [new Y.XmlElement("paragraph")]);
    const forged = row(
      { version: rows.length + 1, actorId: "Mallory", update: Y.encodeStateAsUpdate(forger) },
      start + 2 * 10 ** 7,
    );
    const segments = segmentsOf([...rows, forged], []);
    const { anomalies, revisions } = opened(segments).finish();
    expect(anomalies).toEqual([
      { version: rows.length + 1, index: 0, actorId: "Mallory", reason: "foreign-client" },
    ]);
    expect((segments[0]?.bytes.length ?? 0) / revisions.length).toBeLessThan(4);
  });

  it("are refused if cut short, extended, out of order or too large [SEGMENT-2]", () => {
    const rows = rowsOf(typing(60), 1);
    const [segment] = segmentsOf(rows, []);
    if (!segment) throw new Error("Nothing was packed.");
    const { bytes } = segment;
    for (let length = 0; length < bytes.length; length += 1)
      expect(() => readSegment(new Recording(), bytes.slice(0, length))).toThrow(SegmentError);
    expect(() => readSegment(opened([segment]), bytes)).toThrow(SegmentError);
    expect(() => readSegment(new Recording(), new Uint8Array([...bytes, 0]))).toThrow(SegmentError);
    expect(() =>
      readSegment(
        new Recording(),
        new Uint8Array([0x53, 1, 0xff, 0xff, 0xff, 0xff, 0x7f, 4, 1, 2, 3, 4]),
      ),
    ).toThrow("beyond its size limit");
    let refused = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const flipped = bytes.slice();
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
      try {
        readSegment(new Recording(), flipped);
      } catch (error) {
        expect(error).toBeInstanceOf(SegmentError);
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(bytes.length / 10);
  });
});
