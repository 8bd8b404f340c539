import { build } from "esbuild";
import type { Page } from "playwright";

const address = "http://127.0.0.1/";

/**
 * Shows the gallery of components in a page. No build of the product has it, and a development
 * server would be a second product: it is bundled here, with the product's own styles and fonts.
 */
export async function showGallery(page: Page): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: ["tests/e2e/support/bundles/gallery-entry.tsx"],
    outdir: "memory",
    bundle: true,
    write: false,
    format: "iife",
    jsx: "automatic",
    loader: { ".woff2": "dataurl" },
    define: { "process.env": "{}", "process.env.NODE_ENV": '"production"' },
    logLevel: "error",
  });
  const output = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? "";
  const html =
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Gallery</title>' +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    '<link rel="stylesheet" href="/gallery.css"></head>' +
    '<body><script src="/gallery.js"></script></body></html>';
  await page.route(`${address}**`, (route) => {
    const path = new URL(route.request().url()).pathname;
    if (path === "/gallery.css")
      return route.fulfill({ contentType: "text/css", body: output(".css") });
    if (path === "/gallery.js")
      return route.fulfill({ contentType: "text/javascript", body: output(".js") });
    return path === "/"
      ? route.fulfill({ contentType: "text/html", body: html })
      : route.fulfill({ status: 404 });
  });
  await page.goto(address);
  await isDrawn(page);
}

/** Shows it anew, with everything closed. */
export async function reloadGallery(page: Page): Promise<void> {
  await page.reload();
  await isDrawn(page);
}

async function isDrawn(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "Gallery" }).waitFor();
  await page.evaluate(() => document.fonts.ready);
}
