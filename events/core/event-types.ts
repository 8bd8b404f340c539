import type * as z from "zod/mini";

/*
 * The body of each event type, by the stream that it stands in. They are empty here: each file of
 * machines/ adds the types of its aggregate by declaration merging, so that the compiler knows them
 * everywhere and nothing imports upwards.
 */
export interface AccountBodies {}
export interface WorkspaceBodies {}
export interface DocumentBodies {}

/** What a table of body schemas adds to the bodies of its stream. */
export type BodiesOf<Schemas extends Record<string, z.ZodMiniType>> = {
  [T in keyof Schemas & string]: z.infer<Schemas[T]>;
};

type Bodies = AccountBodies & WorkspaceBodies & DocumentBodies;

/** Every event type that this version knows; a row of the log may have one of a newer version. */
export type EventType = keyof Bodies & string;

/** The event types of the streams of one kind. */
export type AccountEventType = keyof AccountBodies & string;
export type DocumentEventType = keyof DocumentBodies & string;

export type BodyOf<T extends EventType> = Bodies[T];

/** The types of an area, as `document` in `document.renamed`. */
export type EventTypeOf<Area extends string> = Extract<EventType, `${Area}.${string}`>;

/**
 * What a shape asks of a value: a text, one of some texts (`a|b`), a number, a list of one shape,
 * or an object by its keys. A key that ends in `?` may be null.
 */
export type BodyShape = string | readonly [BodyShape] | { readonly [key: string]: BodyShape };

/** A type with the body that belongs to it: to switch on the type is to know the body. */
export type TypedEvent<T extends EventType = EventType> = {
  [K in T]: { type: K; body: BodyOf<K> };
}[T];

/** A type and its body as one of the events that there are. */
export function typedEvent<T extends EventType>(type: T, body: BodyOf<T>): TypedEvent {
  // A type with its own body is one of the union, which the compiler does not see where the type is a parameter.
  return { type, body } as TypedEvent;
}
