// `npm run generate`: compiles the law (transition table) from the machines, compares the law with
// the reviewed supabase/law.json and writes the migration between the two. Also writes the body
// shapes with which rows are read. With --check it only reports whether these files are out of
// date.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { emptyCatalogue, catalogueOf, lawStatements } from "@/events/log/law-catalogue";
import type { Catalogue } from "@/events/log/law-catalogue";
import { format } from "prettier";
import { bodyShapesFile } from "@/events/log/body-shapes";
import { aggregates } from "./catalog";

const shapesFile = new URL("../events/core/body-shapes.ts", import.meta.url);
const catalogueFile = new URL("../supabase/law.json", import.meta.url);
const migrations = new URL("../supabase/migrations/", import.meta.url);

function readCatalogue(): Catalogue {
  if (!existsSync(catalogueFile)) return emptyCatalogue;
  // Only this program writes the file.
  return JSON.parse(readFileSync(catalogueFile, "utf8")) as Catalogue;
}

/** Prints one row per line, so that a diff shows which rule changed. */
function printed(catalogue: Catalogue): string {
  const list = (rows: readonly unknown[]) =>
    `[\n${rows.map((row) => `    ${JSON.stringify(row)}`).join(",\n")}\n  ]`;
  const { transitions, hosting, schemas } = catalogue;
  return (
    `{\n  "transitions": ${list(transitions)},\n  "hosting": ` +
    `${list(hosting)},\n  "schemas": ${list(schemas)}\n}\n`
  );
}

function nextMigration(now: Date): string {
  const stamp = now.toISOString().replace(/\D/g, "").slice(0, 14);
  const last = readdirSync(migrations).sort().at(-1)?.slice(0, 14) ?? "";
  return `${stamp > last ? stamp : String(BigInt(last) + 1n)}_law.sql`;
}

const before = readCatalogue();
const after = catalogueOf(aggregates, before);
const statements = lawStatements(before, after);
const shapes = await format(bodyShapesFile(aggregates), { parser: "typescript", printWidth: 100 });
const areShapesOld = readFileSync(shapesFile, "utf8") !== shapes;
const isCheck = process.argv.includes("--check");

if (areShapesOld && !isCheck) {
  writeFileSync(shapesFile, shapes);
  console.log("Wrote events/core/body-shapes.ts: commit it.");
}
if (statements.length === 0 && !(areShapesOld && isCheck)) {
  console.log("The law is up to date.");
} else if (isCheck) {
  console.error(
    "The machines differ from supabase/law.json or " +
      "events/core/body-shapes.ts: run `npm run generate` and review what it writes.",
  );
  process.exitCode = 1;
} else {
  const name = nextMigration(new Date());
  const header =
    "-- Compiled from machines/*.ts by `npm run generate`. Never edited by hand; frozen once merged.\n";
  writeFileSync(new URL(name, migrations), `${header}\n${statements.join("\n\n")}\n`);
  writeFileSync(catalogueFile, printed(after));
  console.log(`Wrote supabase/migrations/${name} and supabase/law.json: review and commit both.`);
}
