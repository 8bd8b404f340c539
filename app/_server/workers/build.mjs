// Builds the scripts that the server runs outside its main thread: the worker threads
// (`.next/server-worker.cjs`) and the image decoding process (`.next/image-process.cjs`). Run after
// `next build`.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../../..", import.meta.url));

mkdirSync(join(root, ".next"), { recursive: true });
/** @type {import("esbuild").BuildOptions} */
const common = {
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  define: { "process.env.NODE_ENV": '"production"' },
  logLevel: "error",
};
await build({
  ...common,
  entryPoints: [join(root, "app/_server/workers/worker.ts")],
  outfile: join(root, ".next", "server-worker.cjs"),
  external: [
    // These are optional native addons of ws, which are not installed.
    "bufferutil",
    "utf-8-validate",
    // These are loaded on the first request for such a file.
    "@react-pdf/renderer",
    "docx",
    "react",
    "sharp",
  ],
});
await build({
  ...common,
  entryPoints: [join(root, "app/_server/files/images/image-child.ts")],
  outfile: join(root, ".next", "image-process.cjs"),
  external: ["sharp"],
});
