import type * as z from "zod/mini";

/*
 * The body of each event type, by stream kind. Each file of machines/ adds the types of its
 * aggregate by declaration merging. The compiler then knows them everywhere, and no file imports
 * from a higher layer.
 */
export interface AccountBodies {}
export interface WorkspaceBodies {}
export interface DocumentBodies {}

/** The bodies that a table of schemas adds to its stream. */
export type BodiesOf<Schemas extends Record<string, z.ZodMiniType>> = {
  [T in keyof Schemas & string]: z.infer<Schemas[T]>;
};

type Bodies = AccountBodies & WorkspaceBodies & DocumentBodies;

/** Every event type that this version knows. The log may hold types of newer versions. */
export type EventType = keyof Bodies & string;

/** The event types of the streams of one kind. */
export type AccountEventType = keyof AccountBodies & string;
export type DocumentEventType = keyof DocumentBodies & string;

export type BodyOf<T extends EventType> = Bodies[T];

/** The event types of an area, for example of `document` in `document.renamed`. */
export type EventTypeOf<Area extends string> = Extract<EventType, `${Area}.${string}`>;

/**
 * The shape of a value: a text, one of several texts (`a|b`), a number, a list of one shape, or an
 * object with a shape for each key. A key that ends in `?` is nullable.
 */
export type BodyShape = string | readonly [BodyShape] | { readonly [key: string]: BodyShape };

/** An event type with its body. Narrowing the type narrows the body. */
export type TypedEvent<T extends EventType = EventType> = {
  [K in T]: { type: K; body: BodyOf<K> };
}[T];

/** Joins an event type and its body into a member of the event union. */
export function typedEvent<T extends EventType>(type: T, body: BodyOf<T>): TypedEvent {
  // Every pair is a member of the union, but the compiler cannot see that for a type parameter.
  return { type, body } as TypedEvent;
}
