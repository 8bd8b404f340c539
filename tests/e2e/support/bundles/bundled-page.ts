import { build } from "esbuild";
import type { Page } from "playwright";

const address = "http://127.0.0.1/";

/** Opens a page with only one test script, bundled with its imports from the product. */
export async function showBundled(page: Page, entry: string): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "iife",
    jsx: "automatic",
    define: { "process.env": "{}", "process.env.NODE_ENV": '"production"' },
    logLevel: "error",
  });
  const [script] = outputFiles;
  await page.route(`${address}**`, (route) =>
    new URL(route.request().url()).pathname === "/"
      ? route.fulfill({
          contentType: "text/html",
          body: '<!doctype html><html lang="en"><title>Bundled</title><body><script src="/page.js"></script></body></html>',
        })
      : route.fulfill({ contentType: "text/javascript", body: script?.text ?? "" }),
  );
  await page.goto(address);
}
