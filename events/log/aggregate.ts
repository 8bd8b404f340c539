import { produce } from "immer";
import type { Draft } from "immer";
import { setup } from "xstate";
import type { AnyStateMachine } from "xstate";
import type * as z from "zod/mini";
import type { Ruled, StreamKind, Subject } from "@/events/core/envelope";
import type { EventType } from "@/events/core/event-types";

/**
 * Rights that an event can require. No role has `invited`: the database grants this right to a
 * request with an invitation's token, and to the deletion of an account with everything that
 * belongs to the account.
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

/** The fields of an event, besides its body, that a reducer receives. */
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

/** A subject's lifecycle phase and its state, as folded from the log. */
export type Folded<State = unknown> = { phase: string; state: State };

/**
 * Defines one kind of subject: the bodies of its events, the phases in which they are legal (the
 * machine), and their effect on the state (the reducers). `firstMember` names the event of the host
 * that also creates the first subject of this kind.
 */
type Definition<Kind extends string, S extends Schemas, State> = {
  kind: Kind;
  streamKind: StreamKind;
  schemas: S;
  /** Phases in which this subject may host others. */
  hosts: readonly string[];
  /**
   * For a subject hosted by another subject than its stream's: the event that creates it, and the
   * body key that holds the host's id.
   */
  host?: Host & { event: keyof S & string };
  /** Event types whose content is a Yjs update; all others must not carry one. */
  updates: readonly (keyof S & string)[];
  /** Body keys that hold people's words. A redaction empties them; other keys are permanent. */
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

/** The place that names a subject's host: the host's kind, and the event and body key. */
export type Host = { kind: string; event: string; key: string };

/** A definition with its state type erased, so that all kinds fit in one catalogue. */
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
  /**
   * Returns the subject's next state after a ruled event. The recorded phase is applied without
   * being judged again.
   */
  evolve(folded: Folded<unknown>, event: Evolving): Folded<State>;
  founded(event: Evolving): { subject: Subject; folded: Folded<State> } | null;
};

/**
 * The part of a ruled event that the fold needs. A pending proposal has the same shape, so that it
 * can be shown before its ruling.
 */
export type Evolving = EventMetadata & Pick<Ruled, "type" | "toPhase" | "body">;

/** A `setup` that limits machines to these event types and requires a right on each transition. */
export function lifecycle<S extends Schemas>(_schemas: S) {
  // XState's documented way to pass types: a value that is never read.
  return setup({ types: {} as { events: { type: keyof S & string }; meta: { right: Right } } });
}

/** Builds an aggregate from a definition. A missing or superfluous reducer does not compile. */
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
      // The one place where an erased state regains its type. The state came from this aggregate's
      // own `start` or `evolve`.
      const state = folded.state as State;
      const reduce = Object.hasOwn(reducers, event.type) ? reducers[event.type] : undefined;
      if (!reduce) return { phase: event.toPhase, state };
      return {
        phase: event.toPhase,
        state: produce(state, (draft) => {
          // The database validated the body against this schema when it recorded the event.
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

/** Returns the phases of a lifecycle machine and its initial phase. */
export function phasesOf(machine: AnyStateMachine): { initial: string; all: string[] } {
  const initial = machine.root.initial.target[0]?.key;
  if (initial === undefined) throw new Error(`${machine.id} has no initial phase`);
  return { initial, all: Object.keys(machine.states) };
}
