import type { BodyShape } from "@/events/core/event-types";
import type { Aggregate } from "./aggregate";
import { schemaRows } from "./schema-rows";
import type { Shape } from "./schema-rows";

function briefly(shape: Shape, place: string): BodyShape {
  switch (shape.type) {
    case "object":
      return Object.fromEntries(
        Object.entries(shape.properties).map(([key, own]) => [
          own.nullable ? `${key}?` : key,
          briefly(own, `${place}.${key}`),
        ]),
      );
    case "array":
      if (shape.items.nullable) throw new Error(`${place}: a list cannot hold null`);
      return [briefly(shape.items, `${place}[]`)];
    case "enum":
      return shape.values.length === 1 ? "string" : shape.values.join("|");
    case "uuid":
    case "string":
      return "string";
    case "integer":
      return "number";
    case "boolean":
      return "boolean";
  }
}

/**
 * Returns the shapes by which rows are read: for each event type with a non-empty body, its keys
 * and their shapes.
 */
function bodyShapesOf(aggregates: readonly Aggregate[]): Record<string, BodyShape> {
  return Object.fromEntries(
    aggregates
      .flatMap(schemaRows)
      .map(({ eventType, shape }) => [eventType, briefly(shape, eventType)] as const)
      .filter(([, shape]) => Object.keys(shape).length > 0),
  );
}

/**
 * Returns the body keys that a redaction empties, over all types. Throws if a type has such a key
 * and does not declare it redactable.
 */
export function redactableKeysOf(aggregates: readonly Aggregate[]): string[] {
  const keys = new Set(
    aggregates.flatMap(({ redactable }) => Object.values(redactable).flatMap((own) => own ?? [])),
  );
  for (const { redactable, ...aggregate } of aggregates) {
    if (aggregate.streamKind !== "document") continue;
    for (const { eventType, shape } of schemaRows({ redactable, ...aggregate }))
      for (const key of shape.type === "object" ? Object.keys(shape.properties) : [])
        if (keys.has(key) && !redactable[eventType]?.includes(key))
          throw new Error(
            `${eventType}.${key}: redactions clear ${key}, so it must be listed as redactable`,
          );
  }
  return [...keys].sort();
}

/** Returns the generated file with both tables, whose readers must not import the aggregates. */
export function bodyShapesFile(aggregates: readonly Aggregate[]): string {
  const shapes = JSON.stringify(bodyShapesOf(aggregates));
  const keys = JSON.stringify(redactableKeysOf(aggregates));
  return `// Compiled from machines/*.ts by \`npm run generate\`. Never edited by hand.
import type { BodyShape, EventType } from "./event-types";

/** The keys of each event type's body, with the shapes of their values. */
export const bodyShapes: {
  readonly [T in EventType]?: { readonly [key: string]: BodyShape };
} = ${shapes};

/** The keys of bodies whose values a redaction empties. */
export const redactableKeys: readonly string[] = ${keys};
`;
}
