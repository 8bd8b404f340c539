import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { correctedPostgres } from "./postgres-client.mjs";

/** What decides how a bundle is made, beside what goes into it. */
const makers = ["./bundle.mjs", "./postgres-client.mjs", "../../package-lock.json"].map((file) =>
  fileURLToPath(new URL(file, import.meta.url)),
);
/** A bundle that another start may be about to load is left alone for so long, in ms. */
const keptMs = 3_600_000;

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
 * The bundle of an earlier start, if none of its inputs has another size or time; null otherwise.
 * @param {string} root
 * @returns {Promise<string | null>}
 */
export async function upToDateBundle(root) {
  try {
    const { inputs, bytes } = await lastBundle(root);
    const bundle = bundleOf(inputs, root);
    // A power failure may have cut the file.
    return statSync(bundle, { throwIfNoEntry: false })?.size === bytes ? bundle : null;
  } catch (error) {
    // There is no bundle, another start is writing it, or an input is gone.
    if (error instanceof SyntaxError || (error instanceof Error && "code" in error)) return null;
    throw error;
  }
}

/**
 * The bundle that `--build-only` made. The times of its inputs do not count: a container image has
 * copied them. Throws a sentence if there is none.
 * @param {string} root
 * @returns {Promise<string>}
 */
export async function prebuiltBundle(root) {
  try {
    const { name } = await lastBundle(root);
    return join(root, ".next", name);
  } catch {
    throw new Error('Nothing is built here. Run "npm start -- --build-only" first.');
  }
}

/**
 * @param {string} root
 * @returns {Promise<{ name: string, inputs: string[], bytes: number }>}
 */
async function lastBundle(root) {
  return JSON.parse(await readFile(join(root, ".next", "backend.json"), "utf8"));
}

/**
 * Bundles a TypeScript file and all of ours that it imports into one module in `.next`. A loader
 * that compiles them one by one takes as long as the rest of a start, and slows later imports.
 * @param {string} file
 * @param {string} root
 * @returns {Promise<string>} the path of the bundle
 */
export async function makeBundle(file, root) {
  const { build } = await import("esbuild");
  const begun = Date.now();
  const { metafile, outputFiles } = await build({
    entryPoints: [file],
    absWorkingDir: root,
    // Within the checkout, where its packages are found.
    outfile: join(root, ".next", "backend.mjs"),
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
    if (!/^backend-[\w-]+\.mjs$/.test(name)) continue;
    const at = statSync(old, { throwIfNoEntry: false })?.mtimeMs ?? begun;
    if (begun - at > keptMs) rmSync(old, { force: true });
  }
  const content = outputFiles[0]?.text ?? "";
  const paths = inputs.map((input) => join(root, input));
  if (paths.some((path) => statSync(path).mtimeMs >= begun)) {
    // Changed meanwhile: nobody knows which of the two is in there.
    const bundle = join(folder, `backend-of-${process.pid}.mjs`);
    await write(bundle, content);
    return bundle;
  }
  const bundle = bundleOf(inputs, root);
  await write(bundle, content);
  const bytes = Buffer.byteLength(content);
  const name = basename(bundle);
  await write(join(folder, "backend.json"), JSON.stringify({ name, inputs, bytes }));
  return bundle;
}

/**
 * Where the bundle of these inputs, as they are now, lies; throws where one is gone.
 * @param {string[]} inputs
 * @param {string} root
 */
function bundleOf(inputs, root) {
  const hash = createHash("sha256").update(process.version);
  for (const path of [...makers, ...inputs.map((input) => join(root, input))]) {
    const { size, mtimeMs, ctimeMs } = statSync(path);
    hash.update(`\0${path}\0${size}\0${mtimeMs}\0${ctimeMs}`);
  }
  return join(root, ".next", `backend-${hash.digest("hex").slice(0, 16)}.mjs`);
}

/**
 * Writes a file at once, whoever reads it meanwhile.
 * @param {string} file
 * @param {string} content
 */
async function write(file, content) {
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, content, { flush: true });
  await rename(unfinished, file);
}

/**
 * Each file knows where it lies itself, whatever the bundle is called.
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
