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
 * Runs `next build` if the sources have changed since the last complete build.
 * @param {string} root
 */
export async function buildIfStale(root) {
  const mark = join(root, ".next", "sources.sha256");
  const stamps = join(root, ".next", "sources.stamps");
  const built = read(mark);
  const stamped = built === null ? "" : `${built} ${stampsHash(root)}`;
  // Comparing stamps avoids hashing all sources, which takes a tenth of the startup time.
  if (stamped !== "" && read(stamps) === stamped) return;
  if (built === sourcesHash(root)) {
    writeFileSync(stamps, stamped);
    return;
  }
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
 * Builds the player for exported bundles and the server's worker scripts, which Next leaves out.
 * Runs after `next build`, which empties their folder.
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
 * Removes source maps that Turbopack writes for its own runtime even when maps are off: nothing
 * refers to them, and they would be served.
 * @param {string} root
 */
function removeSourceMaps(root) {
  const served = join(root, ".next", "static");
  for (const name of readdirSync(served, { recursive: true, encoding: "utf8" }))
    if (name.endsWith(".map")) rmSync(join(served, name));
}

/**
 * Returns the hash of all inputs of a build.
 * @param {string} root
 */
export function sourcesHash(root) {
  const hash = createHash("sha256");
  for (const { path, full } of sourceFiles(root)) {
    const content = readFileSync(full);
    hash.update(`${path}\0${content.byteLength}\0`).update(content);
  }
  return hash.digest("hex");
}

/**
 * Returns the hash of the sizes and times of a build's inputs. Equal hashes mean unchanged files.
 * @param {string} root
 */
function stampsHash(root) {
  const hash = createHash("sha256");
  for (const { path, entry } of sourceFiles(root))
    hash.update(`${path}\0${entry.size}\0${entry.mtimeMs}\0${entry.ctimeMs}\0`);
  return hash.digest("hex");
}

/**
 * @param {string} root
 * @param {string[]} paths
 * @returns {Generator<{ path: string, full: string, entry: import("node:fs").Stats }>}
 */
function* sourceFiles(root, paths = sources) {
  for (const path of paths) {
    const full = join(root, path);
    const entry = statSync(full, { throwIfNoEntry: false });
    if (!entry) continue;
    if (entry.isDirectory()) {
      // Tools keep files of their own in dot folders such as `.temp`.
      const names = readdirSync(full).sort();
      const own = names.filter((name) => !name.startsWith("."));
      yield* sourceFiles(
        root,
        own.map((name) => `${path}/${name}`),
      );
      continue;
    }
    // Tests are skipped, and so is code that runs without being built.
    if (/\.(test|e2e)\.tsx?$|\.sql$|^supabase\/(local|functions|templates)\//.test(path)) continue;
    yield { path, full, entry };
  }
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
