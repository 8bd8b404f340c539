// Plain Node without dependencies, because a fresh clone has no dependencies installed.
import { fileURLToPath } from "node:url";
import { importBundle, makeBundle, prebuiltBundle, upToDateBundle } from "./process/bundle.mjs";
import { installIfStale } from "./process/install.mjs";
import { buildIfStale, buildBeside } from "./process/build.mjs";
import { isKnownWarning } from "./process/known-warnings.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const entries = {
  backend: fileURLToPath(new URL("main.ts", import.meta.url)),
  pages: fileURLToPath(new URL("pages/page-process.ts", import.meta.url)),
};
const dev = process.argv.includes("--dev");
/**
 * Whether this is a container image. An image is built in advance and has no dev dependencies, so
 * its start installs and builds nothing.
 */
const isPrebuilt = process.argv.includes("--prebuilt");

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Palimpsest needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/** @type {import("./process/bundle.mjs").Bundle} */
let bundle;
try {
  process.chdir(root);
  if (isPrebuilt) bundle = await prebuiltBundle(root);
  else {
    await installIfStale(root);
    await (dev ? buildBeside(root) : buildIfStale(root));
    bundle = (await upToDateBundle(root)) ?? (await makeBundle(entries, root));
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
process.env.NODE_ENV = dev ? "development" : "production";
// Supabase Lite reads these when it is loaded.
process.env.EXPERIMENTAL_STORAGE = "1";
process.env.LITE_TELEMETRY = "0";
process.env.NEXT_TELEMETRY_DISABLED ??= "1";
muteKnownWarnings();
// TypeScript checks main.ts itself, but cannot resolve a module imported by path.
const { finishBuild, main } = /** @type {typeof import('./main')} */ (
  await importBundle(bundle.backend)
);
await (process.argv.includes("--build-only") ? finishBuild() : main(root, bundle.pages));

/** Mutes known warnings until the log takes over the console. */
function muteKnownWarnings() {
  const warn = console.warn;
  console.warn = (...parts) => {
    if (!isKnownWarning(String(parts[0]))) warn(...parts);
  };
}
