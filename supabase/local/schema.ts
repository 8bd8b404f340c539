// `npm run schema`: applies the migrations to a throw-away database and writes what is in force there to supabase/schema.sql.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { applyMigrations } from "./migrations";
import { startPostgres } from "./postgres";
import { applyProjectSchema } from "./project-schema";
import { schemaText } from "./schema-text";

const directory = await mkdtemp(join(tmpdir(), "palimpsest-schema-"));
const server = await startPostgres({ directory, log: () => undefined, settings: { fsync: "off" } });
const sql = postgres(server.url, { max: 1, onnotice: () => undefined });
try {
  await applyProjectSchema(sql);
  await applyMigrations(sql);
  await writeFile(new URL("../schema.sql", import.meta.url), await schemaText(sql));
  console.log("Wrote supabase/schema.sql: review and commit it with the migration.");
} finally {
  await sql.end();
  await server.stop();
  await rm(directory, { recursive: true, force: true });
}
