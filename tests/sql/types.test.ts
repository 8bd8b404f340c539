import { readFile, rm } from "node:fs/promises";
import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { databaseTypes } from "@/supabase/local/database/database-types";
import { applyProjectSchema } from "@/supabase/local/database/project-schema";
import { schemaText } from "@/supabase/local/database/schema-text";
import { supabaseCli } from "@/supabase/local/database/supabase-cli";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase } from "@/tests/support/database/database";

let db: TestDatabase;
let empty: string;
beforeAll(async () => {
  db = await testDatabase();
  await db.sql`create database empty`;
  const url = new URL(db.url);
  url.pathname = "/empty";
  empty = url.href;
});
afterAll(async () => {
  await db.stop();
  // The tool's notes on its releases count as a source, so they would cause a new build.
  await rm("supabase/.temp", { recursive: true, force: true });
});

it("[LOG-14] [LOG-32] supabase/database.types.ts matches the schema (otherwise: npm run schema)", async () => {
  expect(await databaseTypes(db.url)).toBe(await readFile("supabase/database.types.ts", "utf8"));
});

it("[LOG-64] Supabase's tool pushes the migrations onto an empty project as a start does", async () => {
  const sql = postgres(empty, { max: 1, onnotice: () => undefined });
  try {
    await applyProjectSchema(sql);
    await supabaseCli(empty, "db", "push", "--yes");
    expect(await schemaText(sql)).toBe(await readFile("supabase/schema.sql", "utf8"));
    const history = (of: typeof sql) =>
      of`select version, name from supabase_migrations.schema_migrations order by version`;
    expect([...(await history(sql))]).toEqual([...(await history(db.sql))]);
    // The CLI does not push to a database with a migration unknown to this release.
    await sql`update supabase_migrations.schema_migrations set version = '20261121130000' where name = 'log'`;
    await expect(supabaseCli(empty, "db", "push", "--yes")).rejects.toThrow("20261121130000");
  } finally {
    await sql.end();
  }
});
