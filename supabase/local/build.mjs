import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inheritRun, withTurn } from "./steps.mjs";

const sources = [
  "app",
  "components",
  "machines",
  "events",
  "public",
  "supabase",
  "proxy.ts",
  "next.config.ts",
  "tsconfig.json",
  "package-lock.json",
];

/**
 * Runs `next build` when the sources have changed since the last build that was finished.
 * @param {string} root
 */
export async function buildIfStale(root) {
  const mark = join(root, ".next", "sources.sha256");
  if (read(mark) === sourcesHash(root)) return;
  await withTurn(join(root, ".build.lock"), async () => {
    const hash = sourcesHash(root);
    if (read(mark) === hash) return;
    console.log("Building the app (once, and after changes)");
    rmSync(mark, { force: true });
    const begun = performance.now();
    const next = join(root, "node_modules", "next", "dist", "bin", "next");
    await inheritRun(process.execPath, [next, "build"], root, {
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      PALIMPSEST_SOURCES: hash,
    });
    await buildBeside(root);
    removeSourceMaps(root);
    writeFileSync(mark, hash);
    console.log(`Built in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  });
}

/**
 * Builds what Next does not: the player that goes into exported bundles, and the script of the
 * server's threads; `next build` has emptied their folder.
 * @param {string} root
 */
export async function buildBeside(root) {
  await inheritRun(
    process.execPath,
    [join(root, "components", "history", "standalone", "build.mjs")],
    root,
  );
  await inheritRun(process.execPath, [join(root, "app", "_server", "workers", "build.mjs")], root);
}

/**
 * Removes the maps that Turbopack writes of what it makes itself, though none are asked for: nothing
 * refers to them, and they would be served.
 * @param {string} root
 */
function removeSourceMaps(root) {
  const served = join(root, ".next", "static");
  for (const name of readdirSync(served, { recursive: true, encoding: "utf8" }))
    if (name.endsWith(".map")) rmSync(join(served, name));
}

/**
 * The hash of everything that goes into a build.
 * @param {string} root
 */
export function sourcesHash(root) {
  const hash = createHash("sha256");
  for (const name of sources) addTo(hash, root, name);
  return hash.digest("hex");
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} root
 * @param {string} path
 */
function addTo(hash, root, path) {
  const full = join(root, path);
  const entry = statSync(full, { throwIfNoEntry: false });
  if (!entry) return;
  if (entry.isDirectory()) {
    // Tools leave notes of their own in folders such as `.temp`.
    for (const name of readdirSync(full).sort())
      if (!name.startsWith(".")) addTo(hash, root, `${path}/${name}`);
    return;
  }
  // Neither tests nor what runs without being built.
  if (/\.(test|e2e)\.tsx?$|\.sql$|^supabase\/(local|functions|templates)\//.test(path)) return;
  const content = readFileSync(full);
  hash.update(`${path}\0${content.byteLength}\0`).update(content);
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
