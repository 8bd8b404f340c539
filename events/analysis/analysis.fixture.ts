import fc from "fast-check";
import { gestureWith, richEdits } from "@/events/crdt/updates/rich-edits.fixture";
import { stream } from "@/events/history/timeline/rows.fixture";
import type { WholeTimeline } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";

const people = new Map([
  [3_141_592_653, "Ana"],
  [7, "Ben"],
  [2 ** 40 + 1, "Carol"],
]);
const start = Date.UTC(2026, 10, 14, 15, 42);
const gesture = gestureWith(
  fc.oneof(
    fc.constantFrom("a", "the quick", "ab", "Abba", "\u{1f600}"),
    fc.string({ unit: "grapheme", maxLength: 8 }),
  ),
);

/** A random history of three writers. Some pauses are long enough to separate sessions. */
export const anyTimeline: fc.Arbitrary<WholeTimeline> = fc
  .record({
    edits: fc.array(gesture, { minLength: 3, maxLength: 50 }).map(richEdits),
    gaps: fc.array(fc.constantFrom(160, 160, 160, 5_000, 200_000, 7_200_000), {
      minLength: 1,
      maxLength: 8,
    }),
  })
  .map(({ edits, gaps }) => {
    let time = start;
    return openTimeline(
      stream(
        "Minutes",
        edits.map(({ client, update }, index) => [
          {
            update,
            time: (time += gaps[index % gaps.length] ?? 0),
            actorId: people.get(client) ?? "",
          },
        ]),
      ),
    );
  });

/** Opens the history of the given edits, which are 160 milliseconds apart. */
export function timelineOfEdits(
  edits: readonly { client: number; update: Uint8Array }[],
): WholeTimeline {
  return openTimeline(
    stream(
      "Minutes",
      edits.map(({ client, update }, at) => [
        { update, time: start + at * 160, actorId: people.get(client) ?? "" },
      ]),
    ),
  );
}

type Step = {
  who: "Ana" | "Ben" | "Carol";
  kind: number;
  at?: number;
  size?: number;
  word?: string;
  after?: number;
};

/**
 * Opens a history described step by step. Each step is one person's gesture, `after` milliseconds
 * (160 by default) after the previous step.
 */
export function timelineOfSteps(...steps: Step[]): WholeTimeline {
  const names = ["Ana", "Ben", "Carol"];
  const edits = richEdits(
    steps.map(({ who, kind, at = 0, size = 0, word = "" }) => ({
      kind,
      at,
      size,
      word,
      writer: names.indexOf(who),
    })),
  );
  let time = start;
  const batches = edits.map(({ client, update }, index) => [
    { update, time: (time += steps[index]?.after ?? 160), actorId: people.get(client) ?? "" },
  ]);
  return openTimeline(stream("Minutes", batches));
}
