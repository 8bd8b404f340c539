import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { correctedPostgres } from "./postgres-client.mjs";

/**
 * Loads a TypeScript file and all of ours that it imports as one module. A loader that takes them
 * one by one costs as much as all the rest of a start, and slows whatever is loaded afterwards.
 * @param {string} file
 * @param {string} root
 * @returns {Promise<unknown>}
 */
export async function importBundled(file, root) {
  const { build } = await import("esbuild");
  // Within the checkout, where its packages are found.
  const bundle = join(root, ".next", `backend-${process.pid}.mjs`);
  await build({
    entryPoints: [file],
    outfile: bundle,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    sourcemap: "inline",
    logLevel: "error",
    plugins: [ownAddresses, correctedPostgres(root)],
  });
  process.setSourceMapsEnabled(true);
  try {
    return await import(pathToFileURL(bundle).href);
  } finally {
    await rm(bundle, { force: true });
  }
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
