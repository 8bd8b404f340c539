import type * as z from "zod/mini";

/**
 * The body of each event type. It is empty here: each file of machines/ adds the types of its aggregate by declaration
 * merging, so that the compiler knows them everywhere while nothing imports upwards at run time.
 */
export interface EventBodies {}

/** What a table of body schemas adds to `EventBodies`. */
export type BodiesOf<Schemas extends Record<string, z.ZodMiniType>> = {
  [T in keyof Schemas & string]: z.infer<Schemas[T]>;
};

/** Every event type that this version knows; a row of the log may have one of a newer version. */
export type EventType = keyof EventBodies & string;

export type BodyOf<T extends EventType> = EventBodies[T];

/** The types of an area, as `document` in `document.renamed`. */
export type EventTypeOf<Area extends string> = Extract<EventType, `${Area}.${string}`>;

/** A type with the body that belongs to it: to switch on the type is to know the body. */
export type TypedEvent<T extends EventType = EventType> = {
  [K in T]: { type: K; body: BodyOf<K> };
}[T];

/** A type and its body as one of the events that there are. */
export function typedEvent<T extends EventType>(type: T, body: BodyOf<T>): TypedEvent {
  // A type with its own body is one of the union, which the compiler does not see where the type is a parameter.
  return { type, body } as TypedEvent;
}
