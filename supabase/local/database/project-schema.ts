import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { getAuthSchemaSql, getStorageSchemaSql } from "@supabase/lite";
import type { Sql } from "postgres";

const folder = fileURLToPath(new URL("../project-schema", import.meta.url));

/**
 * Creates what every Supabase project has before its first migration (roles, `auth`, `storage`,
 * `extensions`, `realtime`). Idempotent.
 */
export async function applyProjectSchema(sql: Sql): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  const [roles, ...rest] = await Promise.all(
    names.map((name) => readFile(join(folder, name), "utf8")),
  );
  // Lite's functions come first. Ours then replace its `auth.uid()`, which reads only one of the
  // two settings that hold the claims.
  const lite = [getAuthSchemaSql(), getStorageSchemaSql()];
  for (const statements of [roles ?? "", ...lite, ...rest]) await sql.unsafe(statements);
}
