// Plain Node without dependencies: on a fresh clone there are none yet.
import { fileURLToPath } from "node:url";
import { importBundled } from "./bundle.mjs";
import { installIfStale } from "./install.mjs";
import { buildIfStale, buildBeside } from "./build.mjs";
import { isKnownWarning } from "./known-warnings.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const dev = process.argv.includes("--dev");

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Palimpsest needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

try {
  process.chdir(root);
  await installIfStale(root);
  await (dev ? buildBeside(root) : buildIfStale(root));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

process.env.NODE_ENV = dev ? "development" : "production";
// Supabase Lite reads these while it loads.
process.env.EXPERIMENTAL_STORAGE = "1";
process.env.LITE_TELEMETRY = "0";
process.env.NEXT_TELEMETRY_DISABLED ??= "1";
muteKnownWarnings();
// What TypeScript made sure of for the file itself is not known of what is imported by its path.
const { main } = /** @type {typeof import('./main')} */ (
  await importBundled(fileURLToPath(new URL("main.ts", import.meta.url)), root)
);
await main(root);

/** Until the log takes over what is printed. */
function muteKnownWarnings() {
  const warn = console.warn;
  console.warn = (...parts) => {
    if (!isKnownWarning(String(parts[0]))) warn(...parts);
  };
}
