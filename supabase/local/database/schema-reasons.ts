import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../migrations/", import.meta.url));

// A comment directly above a statement.
const commented = /^((?:--[^\n]*\n)+)create (?:or replace )?(function|table|type) ([a-z0-9_.]+)/gim;
const stated = /^create (?:or replace )?(function|table|type) ([a-z0-9_.]+)/gim;

/** Returns the latest comment above each function, table and type, by kind and name. */
function reasonsIn(texts: readonly string[]): Map<string, string> {
  const reasons = new Map<string, string>();
  for (const text of texts)
    for (const [, comment, kind, name] of text.matchAll(commented))
      reasons.set(`${kind} ${name}`.toLowerCase(), comment ?? "");
  return reasons;
}

/** Adds the migrations' comments above each function, table and type of a schema. */
export function withReasons(schema: string, migrations: readonly string[]): string {
  const reasons = reasonsIn(migrations);
  return schema.replace(
    stated,
    (start, kind: string, name: string) =>
      (reasons.get(`${kind} ${name}`.toLowerCase()) ?? "") + start,
  );
}

/** Returns the texts of this release's migrations, oldest first. */
export function migrationTexts(): string[] {
  return readdirSync(folder)
    .sort()
    .map((file) => readFileSync(`${folder}${file}`, "utf8"));
}
