import { format, resolveConfig } from "prettier";
import { fileURLToPath } from "node:url";
import { supabaseCli } from "./supabase-cli";

export const typesFile = fileURLToPath(new URL("../../database.types.ts", import.meta.url));

const header = [
  "// The public schema as supabase-js wants to see it. Written by `npm run schema` with Supabase's own command line",
  "// tool and compared by a test; never edited by hand.",
  "",
].join("\n");

/** Returns the TypeScript types of a database's public schema. */
export async function databaseTypes(databaseUrl: string): Promise<string> {
  const printed = await supabaseCli(
    databaseUrl,
    "gen",
    "types",
    "typescript",
    "--schema",
    "public",
  );
  // The tool says before it how it is connected.
  const types = printed.slice(printed.indexOf("export type Json"));
  const settings = await resolveConfig(typesFile);
  return format(`${header}\n${types}`, { ...settings, filepath: typesFile });
}
