import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { licenceList, licensedPackages } from "./licence-list";

// `npm run licences`: writes docs/licences.md.
const root = new URL("../", import.meta.url);
const lock = readFileSync(new URL("package-lock.json", root), "utf8");
const file = fileURLToPath(new URL("docs/licences.md", root));
writeFileSync(file, licenceList(licensedPackages(lock)));
console.log("Wrote docs/licences.md: commit it.");
