import type { BodyText } from "../http/body-text";
import type { Call } from "../http/call";

/** The names of a table's columns, or of a function's arguments, of type `json` or `jsonb`. */
export type JsonNames = (relation: {
  kind: "table" | "function";
  name: string;
}) => Promise<ReadonlySet<string>>;

type Shape = {
  columns: readonly {
    table: string;
    schema: string;
    name: string;
    type: string;
    pg_type?: string;
  }[];
  functions?: readonly {
    schema: string;
    name: string;
    arg_names: readonly string[];
    arg_types: readonly string[];
  }[];
};

const isJson = (type: string) => type === "json" || type === "jsonb";

/** Finds the JSON names in Supabase Lite's schema cache, and follows its reloads. */
export function jsonNamesIn(shape: () => Promise<Shape>): JsonNames {
  const known = new WeakMap<Shape, Map<string, ReadonlySet<string>>>();
  return async ({ kind, name }) => {
    const current = await shape();
    const names = known.get(current) ?? namesOf(current);
    known.set(current, names);
    return names.get(`${kind} ${name}`) ?? none;
  };
}

const none: ReadonlySet<string> = new Set();

function namesOf({ columns, functions = [] }: Shape): Map<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  const add = (relation: string, name: string) => {
    const found = names.get(relation) ?? new Set();
    names.set(relation, found.add(name));
  };
  for (const { table, schema, name, type, pg_type } of columns)
    if (schema === "public" && isJson(pg_type ?? type)) add(`table ${table}`, name);
  for (const { schema, name, arg_names, arg_types } of functions)
    for (const [index, argument] of arg_names.entries())
      if (schema === "public" && argument !== "" && isJson(arg_types[index] ?? ""))
        add(`function ${name}`, argument);
  return names;
}

/**
 * Returns the value of a body, with strings for JSON columns or arguments converted to JSON text;
 * null if no string is converted. Supabase Lite forwards objects for such arguments as text, so its
 * connection treats every string as JSON text (supabase/local/database/lite.ts). Without
 * conversion, `"5"` would become the number 5, and `"five"` would fail.
 */
export async function withJsonTexts(
  { head: { method, headers }, url }: Pick<Call, "head" | "url">,
  body: BodyText,
  jsonNames: JsonNames,
): Promise<{ value: unknown } | null> {
  const [, rpc, name = ""] = /^\/rest\/v1\/(rpc\/)?([^/]+)\/?$/.exec(url.pathname) ?? [];
  const writes = method === "POST" || method === "PATCH" || method === "PUT";
  const type = headers.get("content-type") ?? "application/json";
  if (name === "" || !writes || !type.includes("application/json")) return null;
  const names = await jsonNames({
    kind: rpc === undefined ? "table" : "function",
    name: decodeURIComponent(name),
  });
  // Most bodies have no such string and some are large, so only candidates are parsed.
  if (names.size === 0 || !namesText(names).test(body.text)) return null;
  if (body.json === undefined) return null;
  // For rows, Supabase Lite itself parses JSON text before it forwards the value.
  const asText = (value: string) =>
    rpc === undefined ? JSON.stringify(JSON.stringify(value)) : JSON.stringify(value);
  return {
    value: Array.isArray(body.json)
      ? body.json.map((row) => mended(row, names, asText))
      : mended(body.json, names, asText),
  };
}

/** Matches a key with one of these names and a string value. */
function namesText(names: ReadonlySet<string>): RegExp {
  const escaped = [...names].map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`"(?:${escaped.join("|")})"\\s*:\\s*"`);
}

type AsText = (value: string) => string;

function mended(row: unknown, names: ReadonlySet<string>, asText: AsText): unknown {
  if (typeof row !== "object" || row === null || Array.isArray(row)) return row;
  const entries = Object.entries(row).map(([name, value]: [string, unknown]) =>
    names.has(name) && typeof value === "string" ? [name, asText(value)] : [name, value],
  );
  return Object.fromEntries(entries);
}
