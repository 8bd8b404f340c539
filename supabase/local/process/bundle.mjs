import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { correctedPostgres } from "../database/postgres-client.mjs";

/** Inputs other than its sources that determine a bundle. */
const makers = [
  "./bundle.mjs",
  "../database/postgres-client.mjs",
  "../../../package-lock.json",
].map((file) => fileURLToPath(new URL(file, import.meta.url)));
/** @type {(keyof Bundle)[]} */
const programs = ["backend", "pages"];
/** How long an old bundle is kept, in ms, since another start may be about to load it. */
const keptMs = 3_600_000;

/**
 * The modules of the bundled programs: `backend` is the process of `npm start`, `pages` the one
 * that renders pages.
 * @typedef {{ backend: string, pages: string }} Bundle
 */

/**
 * Imports a bundle with its source maps.
 * @param {string} bundle
 * @returns {Promise<unknown>}
 */
export async function importBundle(bundle) {
  process.setSourceMapsEnabled(true);
  return import(pathToFileURL(bundle).href);
}

/**
 * Returns the bundle of an earlier start, or null if an input's size or time has changed.
 * @param {string} root
 * @returns {Promise<Bundle | null>}
 */
export async function upToDateBundle(root) {
  try {
    const { inputs, bytes } = await lastBundle(root);
    const bundle = bundleOf(stampOf(inputs, root), root);
    // A power failure may have truncated a file.
    const isWhole = programs.every((program) => statSync(bundle[program]).size === bytes[program]);
    return isWhole ? bundle : null;
  } catch (error) {
    // There is no bundle, another start is writing the bundle, or a file or an input is missing.
    if (error instanceof SyntaxError || (error instanceof Error && "code" in error)) return null;
    throw error;
  }
}

/**
 * Returns the bundle that `--build-only` made, or throws if there is none. Ignores the times of the
 * inputs, which building a container image changes.
 * @param {string} root
 * @returns {Promise<Bundle>}
 */
export async function prebuiltBundle(root) {
  try {
    const bundle = bundleOf((await lastBundle(root)).stamp, root);
    for (const program of programs) statSync(bundle[program]);
    return bundle;
  } catch {
    throw new Error('Nothing is built here. Run "npm start -- --build-only" first.');
  }
}

/**
 * @param {string} root
 * @returns {Promise<{ stamp: string, inputs: string[], bytes: Record<keyof Bundle, number> }>}
 */
async function lastBundle(root) {
  return JSON.parse(await readFile(join(root, ".next", "backend.json"), "utf8"));
}

/**
 * Bundles two TypeScript files with their local imports into one module each, in `.next`. A loader
 * that compiles files one by one would double the startup time and slow later imports.
 * @param {Bundle} files
 * @param {string} root
 * @returns {Promise<Bundle>} the paths of the modules
 */
export async function makeBundle(files, root) {
  const { build } = await import("esbuild");
  const begun = Date.now();
  const { metafile, outputFiles } = await build({
    entryPoints: files,
    absWorkingDir: root,
    // Inside the checkout, so that packages resolve.
    outdir: join(root, ".next"),
    outExtension: { ".js": ".mjs" },
    write: false,
    metafile: true,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    sourcemap: "inline",
    logLevel: "error",
    plugins: [ownAddresses, correctedPostgres(root)],
  });
  const inputs = Object.keys(metafile.inputs);
  const folder = join(root, ".next");
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    const old = join(folder, name);
    if (!/^(backend|pages)-[\w-]+\.mjs$/.test(name)) continue;
    const at = statSync(old, { throwIfNoEntry: false })?.mtimeMs ?? begun;
    if (begun - at > keptMs) rmSync(old, { force: true });
  }
  /** @param {keyof Bundle} program */
  const contentOf = (program) =>
    outputFiles.find(({ path }) => basename(path) === `${program}.mjs`)?.text ?? "";
  /** @param {string} stamp */
  const written = async (stamp) => {
    const bundle = bundleOf(stamp, root);
    for (const program of programs) await write(bundle[program], contentOf(program));
    return bundle;
  };
  const paths = inputs.map((input) => join(root, input));
  // An input changed during the build, so it is unknown which version the bundle contains.
  if (paths.some((path) => statSync(path).mtimeMs >= begun)) return written(`of-${process.pid}`);
  const stamp = stampOf(inputs, root);
  const bundle = await written(stamp);
  const bytes = {
    backend: Buffer.byteLength(contentOf("backend")),
    pages: Buffer.byteLength(contentOf("pages")),
  };
  await write(join(folder, "backend.json"), JSON.stringify({ stamp, inputs, bytes }));
  return bundle;
}

/**
 * Returns the paths of the bundle with a stamp.
 * @param {string} stamp
 * @param {string} root
 * @returns {Bundle}
 */
function bundleOf(stamp, root) {
  /** @param {keyof Bundle} program */
  const file = (program) => join(root, ".next", `${program}-${stamp}.mjs`);
  return { backend: file("backend"), pages: file("pages") };
}

/**
 * Returns the stamp of the inputs' current state. Throws if an input is missing.
 * @param {string[]} inputs
 * @param {string} root
 */
function stampOf(inputs, root) {
  const hash = createHash("sha256").update(process.version);
  for (const path of [...makers, ...inputs.map((input) => join(root, input))]) {
    const { size, mtimeMs, ctimeMs } = statSync(path);
    hash.update(`\0${path}\0${size}\0${mtimeMs}\0${ctimeMs}`);
  }
  return hash.digest("hex").slice(0, 16);
}

/**
 * Writes a file atomically.
 * @param {string} file
 * @param {string} content
 */
async function write(file, content) {
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, content, { flush: true });
  await rename(unfinished, file);
}

/**
 * Replaces `import.meta.url` with each source file's own URL, wherever the bundle is.
 * @type {import('esbuild').Plugin}
 */
const ownAddresses = {
  name: "own addresses",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replaceAll(
        "import.meta.url",
        JSON.stringify(pathToFileURL(path).href),
      ),
      loader: "ts",
    }));
  },
};
