import { build } from "esbuild";
import type { Page } from "playwright";

const address = "http://127.0.0.1/";

type Bundle = {
  /** The page's title. */
  title: string;
  /** The module that renders into the page. */
  entry: string;
  /** React's development build also counts renders. */
  mode: "production" | "development";
  /** Workers by the path at which the page requests them. */
  workers?: Readonly<Record<string, string>>;
  /** Modules that are replaced by others. */
  alias?: Record<string, string>;
};

async function bundled(entry: string, mode: Bundle["mode"], alias: Record<string, string>) {
  const { outputFiles } = await build({
    entryPoints: [entry],
    outdir: "memory",
    bundle: true,
    write: false,
    format: "iife",
    jsx: "automatic",
    loader: { ".woff2": "dataurl" },
    define: {
      "process.env": "{}",
      "process.env.NODE_ENV": JSON.stringify(mode),
      "import.meta.url": JSON.stringify(address),
    },
    alias,
    logLevel: "error",
  });
  return (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? "";
}

/**
 * Shows components in a page without the product. The product's build has no such page, and a
 * development server would be a second product. The components are therefore bundled here with the
 * product's own styles and fonts.
 */
export async function showBundle(
  page: Page,
  { title, entry, mode, workers = {}, alias = {} }: Bundle,
): Promise<void> {
  const output = await bundled(entry, mode, alias);
  const scripts = new Map([["/page.js", output(".js")]]);
  for (const [path, module] of Object.entries(workers))
    scripts.set(path, (await bundled(module, mode, alias))(".js"));
  const html =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    '<link rel="stylesheet" href="/page.css"></head>' +
    '<body><script src="/page.js"></script></body></html>';
  await page.route(`${address}**`, (route) => {
    const path = new URL(route.request().url()).pathname;
    const script = scripts.get(path);
    if (path === "/page.css")
      return route.fulfill({ contentType: "text/css", body: output(".css") });
    if (script !== undefined)
      return route.fulfill({ contentType: "text/javascript", body: script });
    return path === "/"
      ? route.fulfill({ contentType: "text/html", body: html })
      : route.fulfill({ status: 404 });
  });
  await page.goto(address);
}
