import fc from "fast-check";
import { RestoredHistory, writers } from "../restored-history.fixture";

/** Writing and erasing, and what writes standing words again: a block that is parted, joined or made another kind. */
const gesture = fc.record({
  kind: fc.constantFrom(0, 1, 1, 1, 2, 2, 4, 7, 9, 10, 11),
  at: fc.nat(20),
  size: fc.nat(60),
  writer: fc.nat(2),
});

export type Step =
  | {
      do: "act";
      gesture: { kind: number; at: number; size: number; writer: number };
    }
  | { do: "restore"; writer: number; pick: number }
  | { do: "take back"; writer: number; of: number; pick: number }
  | { do: "undo"; writer: number; back: number };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("act" as const),
      gesture,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("restore" as const),
      writer: fc.nat(2),
      pick: fc.nat(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("take back" as const),
      writer: fc.nat(2),
      of: fc.nat(2),
      pick: fc.nat(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("undo" as const),
      writer: fc.nat(2),
      // The latest restore of all, or one that others have restored over since.
      back: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(4)),
    }),
  },
);

/** What three writers do, restore and undo, in any order. */
export const anySteps = fc.array(anyStep, { minLength: 6, maxLength: 30 });

export function historyOf(steps: readonly Step[]): RestoredHistory {
  const history = new RestoredHistory();
  const restores: number[] = [];
  for (const step of steps) {
    if (step.do === "act") {
      // Two who rewrite one block at once write its words twice.
      history.sync(step.gesture.writer);
      history.act(step.gesture);
      continue;
    }
    const version = restored(history, step, restores.at(-1 - ("back" in step ? step.back : 0)));
    if (version !== null) restores.push(version);
  }
  return history;
}

function restored(
  history: RestoredHistory,
  step: Exclude<Step, { do: "act" }>,
  last: number | undefined,
): number | null {
  if (step.do === "undo") return last === undefined ? null : history.undo(step.writer, last);
  const { timeline } = history;
  const index = step.pick % timeline.length;
  return step.do === "restore"
    ? history.restore(step.writer, { kind: "revision", timeline, index })
    : history.restore(step.writer, {
        kind: "author",
        timeline,
        author: writers[step.of % 3] ?? "Ana",
        from: Math.min(index, timeline.length - 2),
        to: timeline.length - 1,
      });
}
