// `npm run bench [name …]`: every measurement, one after the other, or the named ones.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { basename, join } from "node:path";
import { installIfStale } from "../../supabase/local/process/install.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = fileURLToPath(new URL(".", import.meta.url));
const all = [
  "relay",
  "texts/payload",
  "log",
  "append",
  "texts/timeline",
  "texts/segments",
  "texts/state",
  "replay",
  "analysis",
  "restore",
  "keystroke",
  "rebuild",
  "paragraph",
  "hostile",
  "fairness",
  "history",
  "opening",
  "process",
  "access",
  "search",
  "silence",
  "weight",
  "files",
  "import",
  "palette",
];
const named = process.argv.slice(2);
const chosen = named.length === 0 ? all : all.filter((name) => named.includes(basename(name)));

await installIfStale(root);
if (chosen.length === 0) {
  console.error(
    `There is no such measurement. There are: ${all.map((name) => basename(name)).join(", ")}.`,
  );
  process.exitCode = 1;
}
for (const name of chosen) {
  console.log(`\n── ${name}`);
  const code = await measure(join(folder, `${name}.ts`));
  if (code !== 0) process.exitCode = 1;
}

/**
 * @param {string} file
 * @returns {Promise<number>}
 */
function measure(file) {
  return new Promise((settle) => {
    const child = spawn(process.execPath, ["--import", "tsx", file], {
      cwd: root,
      stdio: "inherit",
    });
    child.once("error", () => settle(1));
    child.once("close", (code) => settle(code ?? 1));
  });
}
