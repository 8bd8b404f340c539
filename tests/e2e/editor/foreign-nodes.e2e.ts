import type { Browser, Page } from "playwright";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { showBundled } from "../support/bundles/bundled-page";
import { runForeign } from "../support/browser/foreign-scripts";
import type { ForeignScript } from "../support/browser/foreign-scripts";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await sharedBrowser();
});
beforeEach(async () => {
  page = await (await browser.newContext()).newPage();
  await showBundled(page, "tests/e2e/support/bundles/rewritten-entry.tsx");
});

/** The words that the page shows, without what translators put around them. */
const shown = () =>
  page.evaluate(() =>
    [...document.querySelectorAll("p, form, li")].map((element) =>
      (element.textContent ?? "").replaceAll(/[‹›]/gu, ""),
    ),
  );
const errors = () => page.evaluate(() => window.errors);
const foreign = () =>
  page.evaluate(() => document.querySelectorAll("font, [data-lastpass-icon-root]").length);
const next = () => page.evaluate(() => document.querySelector("button")?.click());

/** What React itself shows after each step. */
const steps = [
  ["Step 0 of three", "At 0", "Here at firstalways", "wordswithout", "Name "],
  ["Step 1 of three", "At 1", "always", "beforewordswithout", "Name filled in"],
  ["Step 2 of three", "At 2", "alwaysand here later", "beforewordsbehind", "Name filled in"],
  ["Step 3 of three", "At 3", "alwaysand here later", "beforewordsbehind", "Name filled in"],
];
const items = (step: number) =>
  step % 2 === 0 ? ["Item a", "Item b", "Item c"] : ["Item c", "Item a", "Item b"];

const scripts: ForeignScript[][] = [
  ["translator"],
  ["password manager"],
  ["grammar checker", "password manager", "translator"],
];

describe.each(scripts)("a page changed by a %s %s %s", (...names) => {
  const run = () =>
    runForeign(
      page,
      names.filter((name) => name !== undefined),
    );

  it("[FOREIGN-1] keeps working and shows its text in the translator's words", async () => {
    await page.evaluate(() => window.hydrate());
    await expect.poll(() => page.evaluate(() => window.foreignNodes !== undefined)).toBe(true);
    await run();
    for (const [step, words] of steps.entries()) {
      await expect.poll(shown).toEqual([...words, ...items(step)]);
      await next();
    }
    expect(await errors()).toEqual([]);
  });

  it("[FOREIGN-2] hydrates from the server's HTML, and is changed again afterwards", async () => {
    await run();
    await page.evaluate(() => window.hydrate());
    for (const [step, words] of steps.entries()) {
      await expect.poll(shown).toEqual([...words, ...items(step)]);
      await next();
    }
    expect(await errors()).toEqual([]);
    await expect.poll(foreign).toBeGreaterThan(0);
  });
});

it("[FOREIGN-2] a page that an extension translates during hydration is rendered again", async () => {
  await runForeign(page, ["rude translator"]);
  await page.evaluate(() => window.hydrate());
  for (const [step, words] of steps.entries()) {
    await expect.poll(shown).toEqual([...words, ...items(step)]);
    await next();
  }
});
