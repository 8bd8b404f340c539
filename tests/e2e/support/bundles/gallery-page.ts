import type { Page } from "playwright";
import { showBundle } from "./bundle";

/** Shows the gallery of components in a page. */
export async function showGallery(page: Page): Promise<void> {
  await showBundle(page, {
    title: "Gallery",
    entry: "tests/e2e/support/bundles/gallery-entry.tsx",
    mode: "production",
  });
  await isDrawn(page);
}

/** Shows the gallery once more, with everything closed. */
export async function reloadGallery(page: Page): Promise<void> {
  await page.reload();
  await isDrawn(page);
}

async function isDrawn(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "Gallery" }).waitFor();
  await page.evaluate(() => document.fonts.ready);
}
