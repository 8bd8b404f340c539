import type { Browser, BrowserContext, Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { newDocument, type Person, person, saved, text, writable } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
let ana: Person;
let path: string;

beforeAll(async () => {
  browser = await sharedBrowser();
  ana = await person(browser, "Ana");
  path = await newDocument(ana, "Slow line");
  await writable(ana.page).click();
  await ana.page.keyboard.type("First line.");
  await ana.page.keyboard.press("Enter");
  await ana.page.keyboard.type("Second line.");
  await saved(ana.page);
});

/** Holds back every script of a page until it is released. */
async function heldBack(context: BrowserContext) {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const pattern = "**/_next/static/chunks/**/*.js";
  await context.route(pattern, async (route) => {
    await released;
    await route.continue().catch(() => undefined);
  });
  const page = await context.newPage();
  await page.goto(path, { waitUntil: "commit" });
  await page.locator("#text").getByText("Second line.").waitFor();
  return {
    page,
    release: async () => {
      release();
      await writable(page).waitFor();
    },
    end: async () => {
      await page.close();
      release();
      await context.unroute(pattern);
    },
  };
}

const words = (page: Page) => text(page).innerText();
const lines = async (page: Page) => (await words(page)).split(/\n+/).filter(Boolean);

/** Puts the caret behind a line, as somebody does who clicks there. */
async function clickBehind(page: Page, line: string) {
  const box = await page.locator("#text").getByText(line).boundingBox();
  if (box === null) throw new Error(`${line} is not shown`);
  await page.mouse.click(box.x + box.width - 4, box.y + box.height / 2);
  await page.keyboard.press("End");
}

const paste = (page: Page, data: { [type: string]: string }) =>
  page.evaluate((strings) => {
    const clipboardData = new DataTransfer();
    for (const [type, value] of Object.entries(strings)) clipboardData.setData(type, value);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
    );
  }, data);

describe("[EDIT-25] what is done in a text whose scripts are held back", () => {
  it("is in the text in order: letters, Backspace, Enter, a paste, a composition", async () => {
    const slow = await heldBack(ana.context);
    const { page } = slow;
    await clickBehind(page, "Second line.");
    await page.keyboard.type(" Typedd");
    await page.keyboard.press("Backspace");
    await page.keyboard.type(" early.");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Backspace");
    await page.keyboard.type("Then ");
    await paste(page, { "text/html": "<b>bold</b> words", "text/plain": "bold words" });
    await page.keyboard.type(" and ");
    const session = await page.context().newCDPSession(page);
    for (const step of ["に", "にほ", "にほん"])
      await session.send("Input.imeSetComposition", {
        text: step,
        selectionStart: step.length,
        selectionEnd: step.length,
      });
    await session.send("Input.insertText", { text: "日本" });
    await page.keyboard.type(".");
    // Seen at once, where they will stand.
    expect(await page.locator("#text").innerText()).toContain("early.");
    await slow.release();
    await expect
      .poll(() => lines(page))
      .toEqual(["First line.", "Second line. Typed early.", "Then bold words and 日本."]);
    expect(await text(page).locator("strong").innerText()).toBe("bold");
    // The caret is where it was, and goes on.
    await page.keyboard.type(" On.");
    await expect.poll(() => words(page)).toContain("日本. On.");
    await saved(page);
    await page.reload();
    await expect.poll(() => words(page)).toContain("Then bold words and 日本. On.");
    await slow.end();
  });

  it("replaces what a double click selected, and Backspace deletes what stood before the caret", async () => {
    const slow = await heldBack(ana.context);
    const { page } = slow;
    const first = page.locator("#text").getByText("First line.");
    await first.dblclick({ position: { x: 10, y: 10 } });
    await page.keyboard.type("Topmost");
    await clickBehind(page, "Second line.");
    for (let letter = 0; letter < "early.".length; letter += 1)
      await page.keyboard.press("Backspace");
    await page.keyboard.type("late.");
    await slow.release();
    await expect
      .poll(() => lines(page))
      .toEqual([
        expect.stringMatching(/^Topmost ?line\.$/),
        "Second line. Typed late.",
        expect.stringContaining("Then bold"),
      ]);
    await saved(page);
    await slow.end();
  });

  it("[EDIT-27] is kept where the page ends before its editor came, and written by the next", async () => {
    const slow = await heldBack(ana.context);
    await clickBehind(slow.page, "Second line.");
    await slow.page.keyboard.type(" Kept.");
    await slow.page.goto("about:blank");
    await slow.end();
    // A page of another process sees what the storage of the browser has taken from the one that ended.
    await expect
      .poll(() => ana.page.evaluate(() => Object.keys(localStorage).join(" ")))
      .toContain("palimpsest.early.");
    const next = await ana.context.newPage();
    await next.goto(path);
    await expect.poll(() => words(next)).toContain("late. Kept.");
    await next.getByText("Added what you typed here").first().waitFor();
    await saved(next);
    await next.reload();
    await writable(next).waitFor();
    await saved(next);
    expect((await words(next)).match(/Kept\./g)).toHaveLength(1);
    await next.close();
  });
});
