import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright";
import { beforeAll, expect, it } from "vitest";
import { barriers } from "./support/axe";
import { showGallery } from "./support/gallery-page";
import { person } from "./support/person";
import { sharedBrowser } from "./support/shared-browser";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
it("a built product answers 404 for the gallery of components, to who is signed in as well", async () => {
  const { page, context } = await person(browser, "Ana");
  const response = await page.goto("/gallery");
  expect(response?.status()).toBe(404);
  await context.close();
});

it("no script of a build holds anything of the gallery, nor does a route lead there", () => {
  const words = /components\/gallery|In development only/;
  const scripts = readdirSync(".next/static", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".js"))
    .map((file) => join(".next/static", file));
  expect(scripts.length).toBeGreaterThan(0);
  expect(scripts.filter((file) => words.test(readFileSync(file, "utf8")))).toEqual([]);
  const routes = readFileSync(".next/server/app-paths-manifest.json", "utf8");
  expect(routes).toContain("/d/[document]/page");
  expect(routes).not.toContain("gallery");
});

it(
  "[A11Y-1] [A11Y-2] axe finds no serious barrier in the gallery in either theme, " +
    "and nothing scrolls sideways there",
  async () => {
    const context = await browser.newContext({ reducedMotion: "reduce" });
    const page = await context.newPage();
    await showGallery(page);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect({ colorScheme, barriers: await barriers(page) }).toEqual({
        colorScheme,
        barriers: [],
      });
    }
    await page.setViewportSize({ width: 320, height: 640 });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
    await context.close();
  },
);
