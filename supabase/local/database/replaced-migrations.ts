import { createHash } from "node:crypto";
import type { TransactionSql } from "postgres";
import { catalogText } from "./schema-text";
import { completingMigrations } from "./completing-migrations";

/** The migrations before release 0.1.0, which its own migrations replaced. */
export const replacedVersions: readonly string[] = `
    20261123100000 20261123100100 20261123100200 20261123100300 20261123100400 20261123100500
    20261123100600 20261123100700 20261123100800 20261123100900 20261123101000 20261123101100
    20261123101200 20261123101300 20261123101400 20261123101500 20261123101600 20261123101700
    20261123105002 20261123105100 20261123235500 20261124120100 20261124120101 20261124122500
    20261124122800 20261124122817 20261124123500 20261124132600 20261124133000 20261124134000
    20261124134100 20261124140500 20261124160000 20261124160200 20261124160423 20261124163900
    20261124184000 20261124205000 20261124205117 20261124214500 20261124220000 20261126035308
    20261126040000 20261126050000 20261128112200 20261128112500 20261128112501 20261128113800
    20261128115200 20261128115600 20261128120300 20261128120500 20261128120600 20261128152300
    20261128161400 20261128193000 20261128194000
  `
  .trim()
  .split(/\s+/);

/** The last migration of release 0.1.0, which completes the schema of the replaced ones. */
export const lastReplacement = "20261128195017";

/** The digest of the replaced migrations' schema, as computed by `schemaDigest`. */
const replacedSchema = "0b1226f35d83df6fe6120df925cc75b4b36de877354abd0b0d9030226a869638";

const replaced = new Set(replacedVersions);
const completing = new Set<string>(completingMigrations.map(({ version }) => version));

/** Whether these are the replaced migrations, except for any that can still be applied. */
export function areReplaced(versions: Iterable<string>): boolean {
  const all = new Set(versions);
  return (
    [...all].every((version) => replaced.has(version)) &&
    replacedVersions.every((version) => all.has(version) || completing.has(version))
  );
}

/** Whether a database has only some of the replaced migrations, too few to be replaced. */
export function areReplacedInPart(versions: Iterable<string>): boolean {
  const all = [...new Set(versions)];
  return all.every((version) => replaced.has(version)) && !areReplaced(all);
}

/**
 * Brings a database with all replaced migrations, or all but the last two, to the schema that they
 * made. A database restored from a backup already has this schema. Refuses any other schema.
 */
export async function completeReplaced(
  sql: TransactionSql,
  versions: ReadonlySet<string>,
): Promise<void> {
  if ((await schemaDigest(sql)) !== replacedSchema)
    for (const { version, text } of completingMigrations)
      if (!versions.has(version)) await sql.unsafe(text);
  await requireReplacedSchema(sql);
}

/**
 * Returns the digest of a schema, without what may differ between equal schemas: comments inside
 * functions, and the name of the tables' owner.
 */
export async function schemaDigest(sql: TransactionSql): Promise<string> {
  const text = (await catalogText(sql))
    .replace(/^[ \t]+--.*\n/gm, "")
    .replace(/CURRENT_USER <> '[^']*'/g, "CURRENT_USER <> owner");
  return createHash("sha256").update(text).digest("hex");
}

/** Throws unless the schema is the one that the replaced migrations made. */
async function requireReplacedSchema(sql: TransactionSql): Promise<void> {
  if ((await schemaDigest(sql)) === replacedSchema) return;
  throw new Error(
    "The database was made before release 0.1.0, and its schema has been changed since: it is not " +
      "the one that its migrations made. All texts and their histories are where they were. Start " +
      "it with the version that made it, and save documents with their histories as files; then " +
      "begin with another data folder (DATA_DIR=… npm start) and import them.",
  );
}
