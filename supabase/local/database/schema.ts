// `npm run schema`: applies the migrations to a throw-away database, and writes the resulting
// schema to supabase/schema.sql and its types to supabase/database.types.ts.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { databaseTypes, typesFile } from "./database-types";
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
  await writeFile(new URL("../../schema.sql", import.meta.url), await schemaText(sql));
  await writeFile(typesFile, await databaseTypes(server.url));
  console.log(
    "Wrote supabase/schema.sql and supabase/database.types.ts: review and commit them with the migration.",
  );
} finally {
  await sql.end();
  await server.stop();
  await rm(directory, { recursive: true, force: true });
}
