// Builds the stand-alone player as one page, `.next/player.html`. Run it after `next build`.
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../../..", import.meta.url));

const built = await build({
  entryPoints: [join(root, "components/history/standalone/main.ts")],
  outdir: "memory",
  bundle: true,
  minify: true,
  write: false,
  format: "iife",
  target: "es2022",
  legalComments: "none",
  define: { "process.env.NODE_ENV": '"production"' },
  logLevel: "error",
});

/** @param {string} end */
const output = (end) => {
  const file = built.outputFiles.find(({ path }) => path.endsWith(end));
  if (!file) throw new Error(`The player bundle has no ${end}`);
  return file.text;
};

// Inside a script element, `<!--` starts a comment that can swallow its end tag.
const script = output(".js").replaceAll("<!--", "\\x3c!--");
const style = output(".css");
/** @param {string} text */
const hashOf = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'; script-src ${hashOf(script)};
  style-src ${hashOf(style)}; img-src 'self' file:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>A history</title>
<style>${style}</style>
</head>
<body>
<noscript>This page plays a history and needs JavaScript to do it.
The text itself is in the folder “text” beside it.</noscript>
<script type="application/json" id="content">"palimpsest content"</script>
<script>${script}</script>
</body>
</html>
`;

mkdirSync(join(root, ".next"), { recursive: true });
writeFileSync(join(root, ".next", "player.html"), page);
