import fc from "fast-check";
import { row } from "@/events/history/timeline/rows.fixture";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import type { AxisKind } from "./timeline-axis";

const start = new Date(2026, 10, 14, 15, 42).getTime();
/** Generates the times between the edits of a history, in ms, some of them pauses. */
export const gaps = fc.array(
  fc.oneof(
    fc.integer({ min: 20, max: 900 }),
    fc.integer({ min: 3000, max: 60_000 }),
    fc.constant(7_200_000),
  ),
  {
    minLength: 1,
    maxLength: 80,
  },
);
/** Generates every kind of axis. */
export const axisKinds = fc.constantFrom<AxisKind>("sessions", "time", "edits");

/** Creates a history of two authors with these times between its edits. */
export function timelineOf(steps: number[]) {
  let time = start;
  return openTimeline(
    [0, ...steps].map((gap, index) =>
      row({ version: index + 1, actorId: index % 3 === 0 ? "Ana" : "Ben" }, (time += gap)),
    ),
  );
}
