import type { Browser, Locator, Page } from "playwright";
import { beforeAll, expect, test } from "vitest";
import { barriers } from "../support/browser/axe";
import { saved, text, writable } from "../support/person";
import type { Person } from "../support/person";
import { sharedDocument } from "../support/shared-document";
import { phoneOf } from "../support/browser/phone";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
let ana: Person;
let ben: Person;
let path: string;

beforeAll(async () => {
  browser = await sharedBrowser();
  ({ ana, ben, path } = await sharedDocument(browser, {
    title: "What we lend",
    begun: "one tide\ntwo tides\nthree\n",
    ended: "four TIDE",
  }));
});

/** The blocks of the text, without the names at carets. */
const blocks = (page: Page) =>
  text(page).evaluate((element) => [...element.children].map((block) => block.textContent ?? ""));
const grip = (page: Page) => page.getByRole("button", { name: "Block actions" });
const find = (page: Page) => page.getByRole("region", { name: "Find" });
const field = (page: Page, name: string) => find(page).getByRole("textbox", { name });

/** Puts the caret at the end of a block. */
async function caretIn(page: Page, words: string): Promise<void> {
  await text(page).getByText(words).click();
  await page.keyboard.press("End");
}

test("[FINDBAR-1] [FINDBAR-2] [FINDBAR-3] finds by key, counts, wraps around, and restores the selection", async () => {
  const { page } = ana;
  await caretIn(page, "one tide");
  for (let letter = 0; letter < 4; letter += 1) await page.keyboard.press("Shift+ArrowLeft");
  // Without Ben's caret, whose flag is placed a frame later.
  const html = () =>
    text(page).evaluate((element) => {
      const copy = element.cloneNode(true);
      if (!(copy instanceof Element)) return "";
      for (const caret of copy.querySelectorAll(".caret")) caret.remove();
      return copy.innerHTML;
    });
  const before = await html();
  await page.keyboard.press("Control+f");
  const status = find(page).getByRole("status");
  await expect.poll(() => status.innerText()).toBe("1 of 3");
  expect(await field(page, "Find").inputValue()).toBe("tide");
  const painted = () =>
    page.evaluate(() => ["found", "found-current"].map((name) => CSS.highlights.get(name)?.size));
  await expect.poll(painted).toEqual([2, 1]);
  expect(await html()).toBe(before);
  await page.keyboard.press("Shift+Enter");
  await expect.poll(() => status.innerText()).toBe("3 of 3");
  await find(page).getByRole("button", { name: "Next" }).click();
  await expect.poll(() => status.innerText()).toBe("1 of 3");
  await find(page).getByRole("button", { name: "Match case" }).click();
  await expect.poll(() => status.innerText()).toBe("1 of 2");
  await find(page).getByRole("button", { name: "Whole words" }).click();
  await expect.poll(() => status.innerText()).toBe("1 of 1");
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await barriers(page)).toEqual([]);
  }
  await field(page, "Find").fill("no such words");
  await expect.poll(() => status.innerText()).toBe("No results");
  // Pressed again, it is the browser's own shortcut.
  const isTaken = () =>
    page.evaluate(
      () =>
        new Promise((heard) =>
          addEventListener("keydown", (event) => setTimeout(() => heard(event.defaultPrevented)), {
            once: true,
          }),
        ),
    );
  const taken = isTaken();
  await field(page, "Find").press("Control+f");
  expect(await taken).toBe(false);
  await page.keyboard.press("Escape");
  await find(page).waitFor({ state: "detached" });
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe("tide");
});

test("[FINDBAR-4] replaces all while Ben types, and undoes it in one step", async () => {
  const { page } = ana;
  await writable(page).focus();
  await page.keyboard.press("Control+Shift+h");
  await field(page, "Find").fill("tide");
  await expect.poll(() => find(page).getByRole("status").innerText()).toBe("1 of 3");
  await caretIn(ben.page, "three");
  await Promise.all([
    ben.page.keyboard.type(" and more tide", { delay: 20 }),
    (async () => {
      await field(page, "Replace with").fill("current");
      await find(page).getByRole("button", { name: "Replace all" }).click();
    })(),
  ]);
  await expect.poll(async () => (await blocks(page)).join()).toContain("and more");
  for (const who of [ana, ben]) await saved(who.page);
  await expect.poll(async () => (await blocks(ben.page))[0]).toBe("one current");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+z");
  await expect.poll(async () => (await blocks(ben.page))[0]).toBe("one tide");
  await expect
    .poll(() => blocks(ben.page))
    .toEqual(["one tide", "two tides", "three and more tide", "four TIDE"]);
});

test("[EDIT-30] the handle stands beside its block, and its menu works by mouse and keys", async () => {
  const { page } = ana;
  const place = () =>
    text(page).evaluate((element) =>
      [...element.children].map((block) => block.getBoundingClientRect().top),
    );
  await caretIn(page, "two tides");
  const before = await place();
  await text(page).getByText("four").hover();
  await grip(page).click();
  await page.getByRole("menuitem", { name: "Turn into" }).hover();
  await page.getByRole("menuitemradio", { name: "Small heading" }).waitFor();
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await barriers(page)).toEqual([]);
  }
  expect(await place()).toEqual(before);
  await page.getByRole("menuitemradio", { name: "Small heading" }).click();
  await text(page).locator("h4").getByText("four TIDE").waitFor();
  // By keyboard: the menu of the block with the caret, whose shortcuts work in it.
  await caretIn(page, "two tides");
  await page.mouse.move(0, 0);
  await grip(page).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menu").waitFor();
  await page.keyboard.press("Control+d");
  await expect
    .poll(async () => (await blocks(page)).filter((words) => words === "two tides"))
    .toHaveLength(2);
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("text");
  await grip(page).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect
    .poll(async () => (await blocks(page)).filter((words) => words === "two tides"))
    .toHaveLength(1);
  await page.getByRole("button", { name: "Add block below" }).click();
  await page.getByRole("listbox", { name: "Blocks" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
});

test("[EDIT-31] a block is dragged while Ben writes in it, and nothing is lost", async () => {
  const { page } = ana;
  await expect.poll(async () => (await blocks(page)).length).toBe(4);
  await caretIn(ben.page, "three and more");
  await text(page).getByText("three and more").hover();
  const middle = async (of: Locator) => {
    const box = await of.boundingBox();
    return box === null ? NaN : box.y + box.height / 2;
  };
  // The handle follows the pointer a moment later.
  await expect
    .poll(async () =>
      Math.abs((await middle(grip(page))) - (await middle(text(page).getByText("three and more")))),
    )
    .toBeLessThan(20);
  const [from, to] = await Promise.all([
    grip(page).boundingBox(),
    text(page).getByText("one tide").boundingBox(),
  ]);
  if (!from || !to) throw new Error("no places");
  await page.mouse.move(from.x + 12, from.y + 12);
  await page.mouse.down();
  await page.mouse.move(to.x + 60, to.y + 10, { steps: 6 });
  const typing = ben.page.keyboard.type(" while it moves", { delay: 15 });
  await page.mouse.move(to.x + 60, to.y + 4);
  await page.mouse.up();
  await typing;
  const moved = "three and more tide while it moves";
  for (const who of [ana, ben]) {
    await saved(who.page);
    const written = async () => (await blocks(who.page)).filter((words) => words !== "");
    await expect.poll(written).toEqual([moved, "one tide", "two tides", "four TIDE"]);
  }
});

test("[EDIT-32] a long press on a block opens its actions as a sheet on a phone", async () => {
  const context = await phoneOf(browser, ana);
  const page = await context.newPage();
  await page.goto(path);
  await writable(page).waitFor();
  const finger = await context.newCDPSession(page);
  const sheet = page.getByRole("dialog", { name: "Block actions" });
  // Touch handlers load once the text can be edited.
  await expect
    .poll(async () => {
      // Otherwise the finger selects a word, and a page with a selection counts as being typed in.
      await text(page).evaluate((element) => element.blur());
      // The message about the change appears above the text, which moves down for it.
      const box = await text(page).getByText("two tides").boundingBox();
      if (!box) throw new Error("no place");
      const touchPoints = [{ x: box.x + 20, y: box.y + 10 }];
      await finger.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
      const shown = await sheet.waitFor({ timeout: 15_000 }).then(
        () => true,
        () => false,
      );
      await finger.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
      return shown;
    })
    .toBe(true);
  expect(await barriers(page)).toEqual([]);
  await sheet.getByRole("button", { name: "Duplicate" }).click();
  await expect.poll(async () => (await blocks(ben.page)).join()).toContain("two tides,two tides");
  await context.close();
});
