import type { Aggregate, Evolving, Folded } from "./aggregate";
import type { Subject } from "@/events/core/envelope";

/** Every subject of one stream, by `subjectKey`. */
export type StreamFold = { version: number; subjects: Readonly<Record<string, Folded>> };

export const emptyFold: StreamFold = { version: 0, subjects: {} };

/** Returns the key of a subject in a fold. */
export const subjectKey = (subject: Subject) => `${subject.kind}:${subject.id}`;

/** Returns a subject's phase, which is `absent` before its first event. */
export function phaseOf(fold: StreamFold, subject: Subject): string {
  return fold.subjects[subjectKey(subject)]?.phase ?? "absent";
}

/**
 * Folds one more ruled event into its stream. An event of an unknown kind (from a newer client)
 * changes only the subject's phase.
 */
export function foldEvent(
  aggregates: readonly Aggregate[],
  fold: StreamFold,
  event: Evolving,
): StreamFold {
  const key = subjectKey(event.subject);
  const aggregate = aggregates.find((candidate) => candidate.kind === event.subject.kind);
  const before = fold.subjects[key] ?? aggregate?.start() ?? { phase: "absent", state: null };
  const after = aggregate
    ? aggregate.evolve(before, event)
    : { phase: event.toPhase, state: before.state };
  const founded = aggregates.flatMap((candidate) => candidate.founded(event) ?? []);
  return {
    version: event.version,
    subjects: {
      ...fold.subjects,
      [key]: after,
      ...Object.fromEntries(founded.map(({ subject, folded }) => [subjectKey(subject), folded])),
    },
  };
}

/**
 * Returns the folded subject of this aggregate with its state's type. Before its first event, this
 * is the initial state.
 */
export function subjectOf<State>(
  fold: StreamFold,
  aggregate: Aggregate<string, State>,
  id: string,
): Folded<State> {
  const folded = fold.subjects[subjectKey({ kind: aggregate.kind, id })];
  // Only the kind's own aggregate creates its subjects, so the cast is safe.
  return folded === undefined ? aggregate.start() : (folded as Folded<State>);
}

/** Returns all folded subjects of this aggregate's kind, by id. */
export function subjectsOf<State>(
  fold: StreamFold,
  aggregate: Aggregate<string, State>,
): { id: string; folded: Folded<State> }[] {
  const prefix = `${aggregate.kind}:`;
  return Object.keys(fold.subjects)
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length))
    .map((id) => ({ id, folded: subjectOf(fold, aggregate, id) }));
}
