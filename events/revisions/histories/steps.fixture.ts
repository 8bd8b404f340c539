import fc from "fast-check";
import { RestoredHistory, writers } from "../restored-history.fixture";

/**
 * Writing and erasing, and gestures that rewrite standing words: splitting, joining or retyping a
 * block.
 */
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
      // The latest restore, or an earlier one with later events on top of it.
      back: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(4)),
    }),
  },
);

/**
 * Replaces gestures that rewrite words. Rewritten words are recognized by their letters, and equal
 * letters are indistinguishable.
 */
export function typing(steps: readonly Step[]): Step[] {
  return steps.map((step) =>
    step.do === "act" && step.gesture.kind >= 9
      ? { ...step, gesture: { ...step.gesture, kind: 1 } }
      : step,
  );
}

/** Random actions, restores and undos of three writers. */
export const anySteps = fc.array(anyStep, { minLength: 6, maxLength: 30 });

type FamilyStep =
  | { do: "step"; document: number; step: Step }
  | { do: "fork"; document: number; writer: number }
  | { do: "merge"; document: number; writer: number; down: boolean };

/** Random steps in a document and its forks, with merges in both directions. */
export const anyFamilySteps: fc.Arbitrary<FamilyStep[]> = fc.array(
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({
        do: fc.constant("step" as const),
        document: fc.nat(2),
        step: anyStep,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant("fork" as const),
        document: fc.nat(2),
        writer: fc.nat(2),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant("merge" as const),
        document: fc.nat(2),
        writer: fc.nat(2),
        down: fc.boolean(),
      }),
    },
  ),
  { minLength: 8, maxLength: 30 },
);

const stepsIn = (document: fc.Arbitrary<number>, maxLength: number) =>
  fc.array(fc.record({ do: fc.constant("step" as const), document, step: anyStep }), {
    minLength: 2,
    maxLength,
  });

/** A document that is forked, and whose fork is merged back twice, while both are edited. */
export const anyMergedSteps: fc.Arbitrary<FamilyStep[]> = fc
  .record({
    before: stepsIn(fc.constant(0), 8),
    apart: stepsIn(fc.constantFrom(0, 1, 1), 8),
    after: stepsIn(fc.nat(1), 6),
    writer: fc.nat(2),
  })
  .map(({ before, apart, after, writer }) => {
    const merge: FamilyStep = { do: "merge", document: 1, writer, down: false };
    return [...before, { do: "fork", document: 0, writer }, ...apart, merge, ...after, merge];
  });

export function historyOf(steps: readonly Step[], gap = " "): RestoredHistory {
  const history = new RestoredHistory();
  history.family.gap = gap;
  for (const step of steps) take(history, step);
  return history;
}

const mostDocuments = 3;

/** Builds a document and its forks. */
export function familyOf(steps: readonly FamilyStep[]): RestoredHistory[] {
  const { documents } = new RestoredHistory().family;
  for (const each of steps) {
    const here = documents[each.document % documents.length];
    if (!here) continue;
    if (each.do === "step") take(here, each.step);
    else if (each.do === "fork") {
      if (documents.length < mostDocuments) here.fork(each.writer);
    } else if (here.parent) {
      if (each.down) here.merge(each.writer, here.parent);
      else here.parent.merge(each.writer, here);
    }
  }
  return documents;
}

function take(history: RestoredHistory, step: Step): void {
  if (step.do === "act") {
    // Two people who rewrite one block concurrently would duplicate its words.
    history.sync(step.gesture.writer);
    history.act(step.gesture);
    return;
  }
  if (step.do === "undo") {
    const version = history.restores.at(-1 - step.back);
    if (version !== undefined) history.undo(step.writer, version);
    return;
  }
  const { timeline } = history;
  const index = step.pick % timeline.length;
  history.restore(
    step.writer,
    step.do === "restore"
      ? { kind: "revision", timeline, index }
      : {
          kind: "author",
          timeline,
          author: writers[step.of % 3] ?? "Ana",
          from: Math.min(index, timeline.length - 2),
          to: timeline.length - 1,
        },
  );
}
