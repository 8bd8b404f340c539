import { bodyShapes } from "./body-shapes";
import { bodyFields, isFields } from "./envelope";
import type { Json } from "./envelope";
import type { BodyOf, BodyShape, EventType } from "./event-types";

/**
 * A body as the log holds it. Each field has its schema's type or is absent. Redacted fields are
 * empty. Fields in which another version or an imported file wrote a value of another type are
 * absent.
 */
export type RecordedBody<T extends EventType> = Readonly<Partial<BodyOf<T>>>;

/** The part of a row that identifies an event's type and content. */
export type RecordedRow = { readonly type: string; readonly body: Json };

/** Returns the body of a row of this type, or null for a row of another type. */
export function bodyOf<T extends EventType>(row: RecordedRow, type: T): RecordedBody<T> | null {
  return row.type === type ? readBody(type, row.body) : null;
}

/**
 * A table with a function for each event type that creates a description from the body and `more`.
 * The entry is null for a type without a description.
 */
export type ByType<T extends EventType, More, Description> = {
  readonly [K in T]: ((body: RecordedBody<K>, more: More) => Description) | null;
};

/** Returns a row's description by a table. Null also for types that the table does not list. */
export function descriptionOf<T extends EventType, More, Description>(
  table: ByType<T, More, Description>,
  { type, body }: RecordedRow,
  more: More,
): Description | null {
  return isIn(table, type) ? (table[type]?.(readBody(type, body), more) ?? null) : null;
}

function isIn<Key extends string>(
  table: { readonly [K in Key]: unknown },
  key: string,
): key is Key {
  return Object.hasOwn(table, key);
}

function readBody<T extends EventType>(type: T, body: Json): RecordedBody<T> {
  const shapes: { readonly [key: string]: BodyShape } = bodyShapes[type] ?? {};
  const fields = bodyFields(body);
  const read = Object.entries(shapes).flatMap(([name, shape]) => {
    const key = keyOf(name);
    const value = fields[key];
    const fits = value === null ? key !== name : isOf(shape, value);
    return value !== undefined && fits ? [[key, value]] : [];
  });
  // The parse boundary: the shapes are compiled from the schemas that also define the types.
  return Object.fromEntries(read) as RecordedBody<T>;
}

const keyOf = (name: string) => (name.endsWith("?") ? name.slice(0, -1) : name);

function isOf(shape: BodyShape, value: Json | undefined): boolean {
  if (typeof shape === "string") {
    if (shape.includes("|")) return typeof value === "string" && shape.split("|").includes(value);
    return shape === typeof value;
  }
  if (isList(shape)) return Array.isArray(value) && value.every((each) => isOf(shape[0], each));
  if (!isFields(value)) return false;
  return Object.entries(shape).every(([name, own]) => {
    const key = keyOf(name);
    return value[key] === null ? key !== name : isOf(own, value[key]);
  });
}

function isList(shape: Exclude<BodyShape, string>): shape is readonly [BodyShape] {
  return Array.isArray(shape);
}
