import type { Browser, BrowserContext, Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { newDocument, person, saved, text, writable } from "../support/person";
import type { Person } from "../support/person";
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
  const page = await context.newPage();
  await page.route(pattern, async (route) => {
    await released;
    await route.continue().catch(() => undefined);
  });
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
    },
  };
}

const words = (page: Page) => text(page).innerText();
const lines = async (page: Page) => (await words(page)).split(/\n+/).filter(Boolean);

/** Puts the caret after a line, as a click there does. */
async function clickBehind(page: Page, line: string) {
  const box = await page.locator("#text").getByText(line).boundingBox();
  if (box === null) throw new Error(`${line} is not shown`);
  await page.mouse.click(box.x + box.width - 4, box.y + box.height / 2);
  await page.keyboard.press("End");
}

/** What the device stores of words typed before the editor existed. */
const storedEarly = (page: Page) =>
  page.evaluate(() =>
    Object.entries(localStorage)
      .filter(([key]) => key.startsWith("palimpsest.early."))
      .map(([, words]) => String(words))
      .join(),
  );

/** Kills a page's process, as a lack of memory does. */
async function crash(page: Page): Promise<void> {
  const crashed = page.waitForEvent("crash");
  const session = await page.context().newCDPSession(page);
  void session.send("Page.crash").catch(() => undefined);
  await crashed;
}

const paste = (page: Page, data: { [type: string]: string }) =>
  page.evaluate((strings) => {
    const clipboardData = new DataTransfer();
    for (const [type, value] of Object.entries(strings)) clipboardData.setData(type, value);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
    );
  }, data);

describe("[EDIT-25] input to a text whose scripts are delayed", () => {
  it("arrives in order: letters, Backspace, Enter, a paste, a composition", async () => {
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
    // Shown immediately, in their final place.
    expect(await page.locator("#text").innerText()).toContain("early.");
    await slow.release();
    await expect
      .poll(() => lines(page))
      .toEqual(["First line.", "Second line. Typed early.", "Then bold words and 日本."]);
    expect(await text(page).locator("strong").innerText()).toBe("bold");
    // The caret stays in place, and typing continues.
    await page.keyboard.type(" On.");
    await expect.poll(() => words(page)).toContain("日本. On.");
    await saved(page);
    await page.reload();
    await expect.poll(() => words(page)).toContain("Then bold words and 日本. On.");
    await slow.end();
  });

  it("replaces a double-clicked word, and Backspace deletes before the caret", async () => {
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

  it.each([
    ["is left", (page: Page) => page.goto("about:blank")],
    ["crashes", crash],
  ])(
    "[EDIT-27] is stored if the page %s before its editor arrives, and written by the next",
    async (how, end) => {
      const slow = await heldBack(ana.context);
      await clickBehind(slow.page, "Second line.");
      await slow.page.keyboard.type(` Kept: ${how}.`);
      // The device has each letter before the page ends: a dead process runs no more code.
      await expect.poll(() => storedEarly(slow.page)).toContain(`Kept: ${how}.`);
      await end(slow.page);
      const next = await ana.context.newPage();
      await next.goto(path);
      // The notice disappears by itself.
      await next.getByText("Added what you typed here").first().waitFor();
      await expect.poll(() => words(next)).toContain(`Kept: ${how}.`);
      await slow.end();
      await saved(next);
      await next.reload();
      await writable(next).waitFor();
      await saved(next);
      expect((await words(next)).split(`Kept: ${how}.`)).toHaveLength(2);
      await next.close();
    },
  );

  it("[EDIT-27] is written by its own page alone while that is open", async () => {
    const slow = await heldBack(ana.context);
    await clickBehind(slow.page, "Second line.");
    await slow.page.keyboard.type(" Own.");
    await expect.poll(() => storedEarly(slow.page)).toContain("Own.");
    const other = await ana.context.newPage();
    await other.goto(path);
    await writable(other).click();
    await other.keyboard.press("Control+Home");
    await other.keyboard.type("Other. ");
    await saved(other);
    expect(await words(other)).not.toContain("Own.");
    await slow.release();
    for (const page of [slow.page, other]) {
      await expect.poll(() => words(page)).toContain("Other.");
      await expect.poll(() => words(page)).toContain("Own.");
      await saved(page);
    }
    // A page that waited for the first one finds nothing, because the first has written its words.
    await expect.poll(() => storedEarly(other)).toBe("");
    expect((await words(other)).match(/Own\./g)).toHaveLength(1);
    await other.close();
    await slow.end();
  });
});

describe("[EDIT-74] a title typed while the scripts are delayed", () => {
  const title = (page: Page) => page.locator("#title");
  const early = (page: Page) =>
    page.evaluate(() =>
      Object.entries(localStorage)
        .filter(([key]) => key.startsWith("palimpsest.early-title."))
        .map(([, value]) => value)
        .join(),
    );

  it("stays, with the caret in place, once they arrive", async () => {
    const slow = await heldBack(ana.context);
    const { page } = slow;
    await title(page).click();
    await page.keyboard.press("End");
    await page.keyboard.type(", early");
    await page.keyboard.press("Enter");
    expect(await title(page).innerText()).toBe("Slow line, early");
    await slow.release();
    await page.keyboard.type(" and on");
    await page.getByRole("treeitem", { name: "Slow line, early and on" }).waitFor();
    await saved(page);
    await page.reload();
    await expect.poll(() => title(page).innerText()).toBe("Slow line, early and on");
    await expect.poll(() => early(page)).toBe("");
    await slow.end();
  });

  it("is stored if the page ends, and merged by the next", async () => {
    const slow = await heldBack(ana.context);
    await title(slow.page).click();
    await slow.page.keyboard.press("Home");
    await slow.page.keyboard.type("Kept: ");
    await expect.poll(() => early(slow.page)).toContain("Kept: Slow line");
    await slow.page.goto("about:blank");
    await slow.end();
    const next = await ana.context.newPage();
    await next.goto(path);
    await expect.poll(() => title(next).innerText()).toBe("Kept: Slow line, early and on");
    await next.getByRole("treeitem", { name: "Kept: Slow line, early and on" }).waitFor();
    await saved(next);
    await expect.poll(() => early(next)).toBe("");
    await next.close();
  });
});
