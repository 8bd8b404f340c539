import { produce, type Draft } from "immer";
import { setup, type AnyStateMachine } from "xstate";
import type * as z from "zod/mini";
import type { Ruled, StreamKind, Subject } from "@/events/core/envelope";
import type { EventType } from "@/events/core/event-types";

/**
 * Who may emit an event. `invited` is nobody's by itself: the database lends it to whoever shows an
 * invitation's token, and to whoever deletes their account with all that belongs to it.
 */
export const rights = [
  "owner",
  "editor",
  "commenter",
  "viewer",
  "anyone",
  "self",
  "author",
  "invited",
] as const;
export type Right = (typeof rights)[number];

export type Schemas = Record<string, z.ZodMiniType>;

/** What a reducer may know of an event besides its body. */
export type EventMetadata = Pick<
  Ruled,
  "id" | "version" | "subject" | "streamId" | "actorId" | "recordedAt"
>;

type Reducers<S extends Schemas, State> = {
  [T in keyof S & string]: (
    draft: Draft<State>,
    body: z.infer<S[T]>,
    metadata: EventMetadata,
  ) => void;
};

/** Keys of the bodies of some event types. */
type RedactableKeys<S extends Schemas> = {
  readonly [T in keyof S & string]?: readonly (keyof z.infer<S[T]> & string)[];
};

/** The finite part and the data part of one subject, as the log tells them. */
export type Folded<State = unknown> = { phase: string; state: State };

/**
 * Everything there is to know of one kind of subject: which bodies its events have, when they are
 * legal (the machine), and what they do to its state. `firstMember` says which event of the host
 * brings a first subject of this kind with it.
 */
type Definition<Kind extends string, S extends Schemas, State> = {
  kind: Kind;
  streamKind: StreamKind;
  schemas: S;
  /** Phases in which other subjects may live in this one. */
  hosts: readonly string[];
  /**
   * For a subject that lives in another one than its stream: the event that begins it, and the key
   * of its body that names that other.
   */
  host?: Host & { event: keyof S & string };
  /** Event types whose content is a Yjs update; all others must not carry one. */
  updates: readonly (keyof S & string)[];
  /** The keys of bodies that hold words of people, which a redaction empties; others keep what they say for ever. */
  redactable?: RedactableKeys<S>;
  machine: AnyStateMachine;
  initial: () => State;
  reducers: Reducers<S, State>;
  firstMember?: {
    event: EventType;
    phase: string;
    subjectId: (metadata: EventMetadata) => string;
    state: (metadata: EventMetadata) => State;
  };
};

/** In which other subject one lives: its kind, and where the beginning event says which. */
export type Host = { kind: string; event: string; key: string };

/** A definition with its state's type closed over, so that different kinds fit in one catalogue. */
export type Aggregate<Kind extends string = string, State = unknown> = {
  kind: Kind;
  streamKind: StreamKind;
  schemas: Schemas;
  hosts: readonly string[];
  host: Host | null;
  updates: readonly string[];
  redactable: { readonly [type: string]: readonly string[] | undefined };
  machine: AnyStateMachine;
  start(): Folded<State>;
  /** The next state of a subject after a ruled event; the phase is taken as recorded and never judged again. */
  evolve(folded: Folded<unknown>, event: Evolving): Folded<State>;
  founded(event: Evolving): { subject: Subject; folded: Folded<State> } | null;
};

/** What the fold needs of a ruled event; a pending proposal is given the same shape to be shown before it is ruled. */
export type Evolving = EventMetadata & Pick<Ruled, "type" | "toPhase" | "body">;

/** A `setup` whose machines take exactly these event types and name a right on every transition. */
export function lifecycle<S extends Schemas>(_schemas: S) {
  // XState takes types as a value that is never read; this is its documented form.
  return setup({ types: {} as { events: { type: keyof S & string }; meta: { right: Right } } });
}

/** Closes a definition into an aggregate. A missing or superfluous reducer does not compile. */
export function defineAggregate<Kind extends string, S extends Schemas, State>(
  definition: Definition<Kind, S, State>,
): Aggregate<Kind, State> {
  const {
    kind,
    streamKind,
    schemas,
    hosts,
    host = null,
    updates,
    redactable = {},
    machine,
    initial,
    reducers,
    firstMember,
  } = definition;
  return {
    kind,
    streamKind,
    schemas,
    hosts,
    host,
    updates,
    redactable,
    machine,
    start: () => ({ phase: phasesOf(machine).initial, state: initial() }),
    evolve(folded, event) {
      // The one place where an erased state gets its type back: it came from this aggregate's own start or evolve.
      const state = folded.state as State;
      const reduce = Object.hasOwn(reducers, event.type) ? reducers[event.type] : undefined;
      if (!reduce) return { phase: event.toPhase, state };
      return {
        phase: event.toPhase,
        state: produce(state, (draft) => {
          // The database has checked the body against the schema before it recorded the event.
          reduce(draft, event.body as never, event);
        }),
      };
    },
    founded(event) {
      if (!firstMember || firstMember.event !== event.type) return null;
      return {
        subject: { kind, id: firstMember.subjectId(event) },
        folded: { phase: firstMember.phase, state: firstMember.state(event) },
      };
    },
  };
}

/** The phases of a lifecycle machine and the one it begins in. */
export function phasesOf(machine: AnyStateMachine): { initial: string; all: string[] } {
  const initial = machine.root.initial.target[0]?.key;
  if (initial === undefined) throw new Error(`${machine.id} has no initial phase`);
  return { initial, all: Object.keys(machine.states) };
}
