import type * as z from "zod/mini";
import type { Aggregate } from "./aggregate";
import { oneEmoji } from "@/events/core/text/emoji";
import { emptyOrVisible } from "@/events/core/text/visible-text";
import { writtenId } from "@/events/core/ids/written-id";

/** A body schema as the database checks it. Lengths count code points, as zod does. */
export type Shape = { nullable?: true } & (
  | { type: "object"; properties: { [key: string]: Shape } }
  | { type: "array"; items: Shape; min: number; max: number }
  | {
      type: "string";
      min: number;
      max: number;
      /** Empty, or with a visible character. */ visible?: true;
      /** Checked by `private.is_<format>`. */ format?: "emoji";
    }
  | { type: "integer"; min: number; max: number }
  | { type: "enum"; values: string[] }
  | { type: "uuid" }
  | { type: "boolean" }
);

export type SchemaRow = {
  eventType: string;
  streamKind: string;
  subjectKind: string;
  carriesUpdate: boolean;
  shape: Shape;
};

type Schema = z.core.$ZodType;
type Definition = z.core.$ZodTypes["_zod"]["def"];

// Zod's own discriminated union of definitions enumerates the subset. All other definitions are
// refused below.
const definitionOf = (schema: Schema): Definition => (schema as z.core.$ZodTypes)._zod.def;

/** The patterns that the database also knows, with their names in a row. */
const patterns: ReadonlyMap<unknown, { visible: true } | { format: "emoji" }> = new Map([
  [emptyOrVisible, { visible: true }],
  [oneEmoji, { format: "emoji" }],
]);

/** Returns a row's name for a text's pattern. Throws if the database does not know it. */
function patternOf(place: string, schema: Schema): { visible?: true; format?: "emoji" } {
  const found = (schema._zod.def.checks ?? []).flatMap((check) => {
    const definition = (check as z.core.$ZodChecks)._zod.def;
    if (definition.check !== "string_format") return [];
    const known = "pattern" in definition ? patterns.get(definition.pattern) : undefined;
    if (known === undefined) throw new Error(`${place}: a pattern cannot be compiled`);
    return [known];
  });
  return Object.assign({}, ...found);
}

/**
 * Returns the bounds that a schema's checks set, by the check's name. Throws on checks that a row
 * cannot express.
 */
function limits(place: string, schema: Schema, known: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const check of schema._zod.def.checks ?? []) {
    const definition = (check as z.core.$ZodChecks)._zod.def;
    if (!known.includes(definition.check))
      throw new Error(`${place}: the check ${definition.check} cannot be compiled`);
    if (definition.check === "min_length") found.set("min", definition.minimum);
    if (definition.check === "max_length") found.set("max", definition.maximum);
    if (definition.check === "greater_than" || definition.check === "less_than") {
      if (!definition.inclusive || typeof definition.value !== "number")
        throw new Error(`${place}: a limit must be an inclusive number`);
      found.set(definition.check === "greater_than" ? "min" : "max", definition.value);
    }
  }
  return found;
}

function required(place: string, found: Map<string, number>, name: string): number {
  const value = found.get(name);
  if (value === undefined)
    throw new Error(
      `${place}: a ${name}imum length is required, because the log keeps every event`,
    );
  return value;
}

/** Compiles a schema of the supported subset. Throws on any other schema and names its place. */
export function compileShape(schema: Schema, place: string): Shape {
  const definition = definitionOf(schema);
  switch (definition.type) {
    case "object": {
      if (definition.catchall?._zod.def.type !== "never")
        throw new Error(`${place}: an object must be strict`);
      limits(place, schema, []);
      const properties = Object.entries(definition.shape).map(([key, value]) => [
        key,
        compileShape(value, `${place}.${key}`),
      ]);
      return { type: "object", properties: Object.fromEntries(properties) };
    }
    case "array": {
      const found = limits(place, schema, ["min_length", "max_length"]);
      const items = compileShape(definition.element, `${place}[]`);
      return {
        type: "array",
        items,
        min: found.get("min") ?? 0,
        max: required(place, found, "max"),
      };
    }
    case "string": {
      if ("format" in definition) {
        if (definition.format !== "guid")
          throw new Error(`${place}: the format ${String(definition.format)} cannot be compiled`);
        // The database accepts lower case only, because readers of the log compare ids as text.
        if (schema !== writtenId)
          throw new Error(`${place}: an id must be lower case (use writtenId)`);
        return { type: "uuid" };
      }
      const found = limits(place, schema, ["min_length", "max_length", "string_format"]);
      return {
        type: "string",
        min: found.get("min") ?? 0,
        max: required(place, found, "max"),
        ...patternOf(place, schema),
      };
    }
    case "number": {
      if (!("format" in definition) || definition.format !== "safeint")
        throw new Error(`${place}: a number must be z.int()`);
      const found = limits(place, schema, ["greater_than", "less_than", "number_format"]);
      return {
        type: "integer",
        min: found.get("min") ?? Number.MIN_SAFE_INTEGER,
        max: found.get("max") ?? Number.MAX_SAFE_INTEGER,
      };
    }
    case "enum":
      return { type: "enum", values: Object.values(definition.entries).map(String) };
    case "boolean":
      return { type: "boolean" };
    case "nullable":
      return { nullable: true, ...compileShape(definition.innerType, place) };
    default:
      throw new Error(`${place}: ${definition.type} cannot be compiled`);
  }
}

/**
 * Returns the rows of `private.schemas` for one aggregate, without versions, which depend on the
 * previous catalogue.
 */
export function schemaRows(aggregate: Aggregate): SchemaRow[] {
  return Object.entries(aggregate.schemas).map(([eventType, schema]) => ({
    eventType,
    streamKind: aggregate.streamKind,
    subjectKind: aggregate.kind,
    carriesUpdate: aggregate.updates.includes(eventType),
    shape: compileShape(schema, eventType),
  }));
}
