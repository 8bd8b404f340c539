import { withBody } from "../http";

/** The names of a table's columns, or of a function's arguments, whose type is `json` or `jsonb`. */
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

/** What Supabase Lite knows of the schema `public`, asked for the names of JSON; it knows anew after a reload. */
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
 * The request with each string for a JSON column or argument written as JSON text. Supabase Lite
 * hands objects for such arguments on as text, and so its connection takes every string for JSON
 * text (supabase/local/lite.ts): `"5"` would become the number 5, and `"five"` fail.
 */
export async function withJsonTexts(request: Request, jsonNames: JsonNames): Promise<Request> {
  const { url, method, headers } = request;
  const [, rpc, name = ""] = /^\/rest\/v1\/(rpc\/)?([^/]+)\/?$/.exec(new URL(url).pathname) ?? [];
  const writes = method === "POST" || method === "PATCH" || method === "PUT";
  const type = headers.get("content-type") ?? "application/json";
  if (name === "" || !writes || !type.includes("application/json")) return request;
  const names = await jsonNames({
    kind: rpc === undefined ? "table" : "function",
    name: decodeURIComponent(name),
  });
  if (names.size === 0) return request;
  const bytes = new Uint8Array(await request.arrayBuffer());
  const same = withBody(new Request(url, { method, headers }), bytes);
  const text = new TextDecoder().decode(bytes);
  // Most bodies have no such string, and some are large: only one that may have is parsed.
  if (!namesText(names).test(text)) return same;
  // Of a row, Supabase Lite itself parses what is JSON text before it hands it on.
  const asText = (value: string) =>
    rpc === undefined ? JSON.stringify(JSON.stringify(value)) : JSON.stringify(value);
  const mended = mendedBody(text, names, asText);
  if (mended === null) return same;
  const without = new Headers(headers);
  without.delete("content-length");
  return new Request(url, { method, headers: without, body: mended });
}

/** Finds one of some names as a key whose value is a string. */
function namesText(names: ReadonlySet<string>): RegExp {
  const escaped = [...names].map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`"(?:${escaped.join("|")})"\\s*:\\s*"`);
}

type AsText = (value: string) => string;

/** The body with the strings under these names as JSON text; null where it is no JSON. */
function mendedBody(text: string, names: ReadonlySet<string>, asText: AsText): string | null {
  try {
    const body: unknown = JSON.parse(text);
    return JSON.stringify(
      Array.isArray(body)
        ? body.map((row) => mended(row, names, asText))
        : mended(body, names, asText),
    );
  } catch {
    return null;
  }
}

function mended(row: unknown, names: ReadonlySet<string>, asText: AsText): unknown {
  if (typeof row !== "object" || row === null || Array.isArray(row)) return row;
  const entries = Object.entries(row).map(([name, value]: [string, unknown]) =>
    names.has(name) && typeof value === "string" ? [name, asText(value)] : [name, value],
  );
  return Object.fromEntries(entries);
}
