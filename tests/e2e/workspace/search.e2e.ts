import type { Browser, Locator } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { derivedWithin } from "../support/derived";
import { barriers } from "../support/browser/axe";
import { saved, text, writable } from "../support/person";
import type { Person } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";
import { sharedDocument } from "../support/shared-document";

let browser: Browser;
let ana: Person;
let ben: Person;
let workspace: string;
let path: string;

const begun = "From January the library is closed on Mondays.";
const ended = " Crème brûlée is served on Tuesdays.";

beforeAll(async () => {
  browser = await sharedBrowser();
  ({ ana, ben, workspace, path } = await sharedDocument(browser, {
    title: "When the library is open",
    begun,
    ended,
  }));
});

const field = ({ page }: Person) => page.getByRole("searchbox", { name: "Search this workspace" });
const results = ({ page }: Person) => page.getByRole("list", { name: "Results" });
const marked = (within: Locator) => within.locator("mark").allInnerTexts();

/** Searches repeatedly until the index has what was just written. */
async function found(who: Person, words: string): Promise<Locator> {
  const first = results(who).getByRole("listitem").first();
  await expect
    .poll(
      async () => {
        await field(who).fill("");
        await field(who).fill(words);
        await first.waitFor({ timeout: 10_000 }).catch(() => undefined);
        return first.isVisible();
      },
      { timeout: derivedWithin },
    )
    .toBe(true);
  return first;
}

/** The words that the page marks without changing them. */
const highlighted = ({ page }: Person) =>
  page.evaluate(() => [...(CSS.highlights.get("searched") ?? [])].map((range) => String(range)));

describe("searching a workspace", () => {
  it("[SEARCH-13] leads from the query to the words, marked in the document", async () => {
    const { page } = ana;
    await page.goto(`/w/${workspace}/search`);
    await expect
      .poll(() => field(ana).evaluate((box) => box === document.activeElement))
      .toBe(true);
    expect(await page.getByRole("radio", { name: "In the text now" }).isChecked()).toBe(true);
    const first = await found(ana, "creme tues");
    await expect.poll(() => marked(first)).toEqual(["Crème", "Tuesdays"]);
    await first.getByText(/wrote this/).waitFor();
    await page.getByRole("status").filter({ hasText: "1 passage in 1 document" }).waitFor();
    await page.waitForURL(/\?q=creme\+tues/);
    await first.getByRole("link", { name: "When the library is open" }).press("Enter");
    await text(page).waitFor();
    await expect.poll(() => highlighted(ana)).toEqual(["Crème", "Tuesdays"]);
    await page.keyboard.press("Escape");
    await expect.poll(() => highlighted(ana)).toEqual([]);
    // The initial results are readable without a script, and Back returns to them.
    await page.goBack();
    await first.waitFor();
    await expect.poll(() => field(ana).inputValue()).toBe("creme tues");
  });

  it("[SEARCH-14] finds words that another person deleted, goes to when they stood and restores them", async () => {
    await ben.page.goto(path);
    await writable(ben.page).click();
    await ben.page.keyboard.press("Control+End");
    for (let letter = 0; letter < ended.length; letter += 1)
      await ben.page.keyboard.press("Backspace");
    for (let letter = 0; letter < " closed on Mondays.".length; letter += 1)
      await ben.page.keyboard.press("Shift+ArrowLeft");
    await ben.page.keyboard.press("Delete");
    await saved(ben.page);

    const { page } = ana;
    await page.goto(`/w/${workspace}/search?q=closed+on+mondays`);
    await expect
      .poll(
        async () => {
          await page.reload();
          return page.getByText("No results").isVisible();
        },
        { timeout: derivedWithin },
      )
      .toBe(true);
    await page.getByRole("button", { name: "Search everything ever written" }).click();
    await expect
      .poll(() => page.getByRole("radio", { name: "Ever written" }).isChecked())
      .toBe(true);
    const first = results(ana).getByRole("listitem").first();
    await first.getByText(/Deleted by Ben/).waitFor();
    await first.getByText(/written by you/).waitFor();
    await expect.poll(() => marked(first)).toEqual(["closed on Mondays"]);

    await first.getByRole("link", { name: "Go to when it stood" }).click();
    const past = page.getByRole("region", { name: "Document at this moment" });
    await past.getByText("closed on Mondays").waitFor();
    await page.goBack();

    await first.getByRole("button", { name: "Bring it back" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("closed on Mondays").first().waitFor();
    await dialog.getByRole("button", { name: /bring|restore/i }).click();
    await page.getByText("Passage restored", { exact: true }).waitFor();
    await first.getByText("Back in the text").waitFor();
    await text(ben.page).getByText("closed on Mondays").waitFor();
  });

  it("[SEARCH-9] finds text written a moment ago", async () => {
    await ana.page.goto(`/w/${workspace}/search`);
    await ben.page.goto(path);
    await writable(ben.page).click();
    await ben.page.keyboard.press("Control+End");
    await ben.page.keyboard.type(" A marmoset was seen.");
    await saved(ben.page);
    await found(ana, "marmoset");
  });

  it("[SEARCH-17] restores a document found in the trash", async () => {
    const { page } = ana;
    await page.goto(path);
    await writable(page).waitFor();
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Move to trash" }).click();
    await page
      .getByText(/to trash/)
      .first()
      .waitFor();
    await page.goto(`/w/${workspace}/search?q=marmoset&trash=1`);
    const first = results(ana).getByRole("listitem").first();
    await first.getByText("in the trash").waitFor();
    await first.getByRole("button", { name: "Restore document" }).click();
    await first.getByText("in the trash").waitFor({ state: "detached" });
    await page.getByRole("treeitem", { name: "When the library is open" }).waitFor();
  });

  it("[SEARCH-15] has no serious barrier and fits a phone, with results, filters or neither", async () => {
    const { page } = ana;
    const size = page.viewportSize();
    for (const query of ["?q=library&in=ever", "?q=nothing+of+that+kind&from=2026-01-01", ""]) {
      await page.goto(`/w/${workspace}/search${query}`);
      await field(ana).waitFor();
      for (const width of [1440, 320]) {
        await page.setViewportSize({ width, height: 900 });
        if (width === 320) {
          await page.getByRole("button", { name: /^Filters/ }).click();
          await page.getByLabel("As of").waitFor();
        }
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          expect([query, width, colorScheme, await barriers(page)]).toEqual([
            query,
            width,
            colorScheme,
            [],
          ]);
        }
        const wider = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect([query, width, wider]).toEqual([query, width, 0]);
      }
    }
    if (size) await page.setViewportSize(size);
  });
});
