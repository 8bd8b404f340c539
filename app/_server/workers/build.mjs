// Builds the script of the server's worker threads: `.next/server-worker.cjs`. Run after `next build`.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../../..", import.meta.url));

mkdirSync(join(root, ".next"), { recursive: true });
await build({
  entryPoints: [join(root, "app/_server/workers/worker.ts")],
  outfile: join(root, ".next", "server-worker.cjs"),
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  define: { "process.env.NODE_ENV": '"production"' },
  external: [
    // Speed-ups of ws that nobody has here.
    "bufferutil",
    "utf-8-validate",
    // Loaded when somebody first asks for such a file.
    "@react-pdf/renderer",
    "docx",
    "react",
    "sharp",
  ],
  logLevel: "error",
});
