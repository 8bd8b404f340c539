import type { Browser, Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { bringIn } from "@/tests/support/writers/writers";
import { barriers } from "../support/browser/axe";
import { newDocument, person, saved, text, titleBox, writable } from "../support/person";
import type { Person } from "../support/person";
import { past, revisionSlider } from "../support/player";
import { hasFocus } from "../support/browser/layers";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
let ana: Person;
let ben: Person;
let tides: string;
let page: Page;

beforeAll(async () => {
  browser = await sharedBrowser();
  ana = await person(browser, "Ana");
  ben = await person(browser, "Ben");
  ({ page } = ana);
  await newDocument(ana, "Opening hours");
  tides = await newDocument(ana, "Tides");
  await text(page).click();
  await page.keyboard.type("Low water at noon.");
  await saved(page);
  await bringIn(ana, ben, ana.workspace, "viewer");
});

const palette = (of: Page) => of.getByRole("dialog", { name: "Go to or do" });
const asking = (of: Page) => of.getByRole("combobox", { name: "Go to or do" });
const rows = (of: Page) =>
  of.getByRole("listbox", { name: "Suggestions" }).getByRole("option").allInnerTexts();
const shortcuts = (of: Page) => of.getByRole("dialog", { name: "Keyboard shortcuts" });

/** The row announced to screen readers, which must be the selected one. */
async function announced(of: Page): Promise<string> {
  const id = await asking(of).getAttribute("aria-activedescendant");
  const row = of.locator(`[id="${id ?? "none"}"][aria-selected="true"]`);
  return (await row.count()) === 1 ? row.innerText() : "";
}

/** Closes the palette, and waits until the previously focused element has the focus again. */
async function closed(of: Page): Promise<void> {
  await of.keyboard.press("Escape");
  await palette(of).waitFor({ state: "detached" });
  await caret(of);
}

/** Waits until the text has the focus with no selection. */
const caret = (of: Page) =>
  expect
    .poll(() =>
      writable(of).evaluate(
        (box) => box === document.activeElement && getSelection()?.isCollapsed === true,
      ),
    )
    .toBe(true);

async function inBothThemes(of: Page, layer: string): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await of.emulateMedia({ colorScheme });
    found.push(...(await barriers(of, layer)));
  }
  await of.emulateMedia({ colorScheme: null });
  return found;
}

describe("the palette", () => {
  it("[PALETTE-1] opens over a text, and Esc restores the caret", async () => {
    await writable(page).click();
    await page.keyboard.press("Home");
    for (let step = 0; step < 4; step += 1) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Control+k");
    await hasFocus(asking(page));
    await expect.poll(() => rows(page)).toContainEqual(expect.stringContaining("Opening hours"));
    // Elements behind it that request the focus late do not get it.
    await writable(page).evaluate((box) => box.focus());
    await page.keyboard.type("x");
    await expect.poll(() => asking(page).inputValue()).toBe("x");
    await closed(page);
    await page.keyboard.type("est ");
    await expect.poll(() => text(page).innerText()).toBe("Low est water at noon.");
    await page.keyboard.press("Control+z");
  });

  it("[PALETTE-1] leaves its key to links when words are selected", async () => {
    await writable(page).click();
    await page.keyboard.press("Home");
    await page.keyboard.press("Shift+End");
    await page.keyboard.press("Control+k");
    await page.getByRole("textbox", { name: "Link address" }).waitFor();
    expect(await palette(page).count()).toBe(0);
    await page.keyboard.press("Escape");
    await expect
      .poll(() => writable(page).evaluate((box) => box === document.activeElement))
      .toBe(true);
    await page.keyboard.press("ArrowRight");
    await caret(page);
  });

  it("[PALETTE-2] [PALETTE-6] announces the selected row, and has no barriers", async () => {
    await page.keyboard.press("Control+k");
    await hasFocus(asking(page));
    await expect.poll(() => announced(page)).toContain("Opening hours");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => announced(page)).toContain("New document");
    await page.keyboard.type("hist");
    await expect.poll(() => announced(page)).toContain("Open history");
    expect(await inBothThemes(page, "[role=dialog]")).toEqual([]);
    await closed(page);
  });

  it("[PALETTE-3] opens a document by its title, and the search of all documents", async () => {
    await page.keyboard.press("Control+k");
    await hasFocus(asking(page));
    await page.keyboard.type("opn hou");
    await expect.poll(() => announced(page)).toContain("Opening hours");
    await page.keyboard.press("Enter");
    await expect.poll(() => titleBox(page).innerText()).toBe("Opening hours");
    await page.keyboard.press("Control+k");
    await hasFocus(asking(page));
    await page.keyboard.type("low & water");
    await page.keyboard.press("Control+Enter");
    await page.waitForURL(
      (url) => url.pathname.endsWith("/search") && url.searchParams.get("q") === "low & water",
    );
  });

  it("[PALETTE-5] runs the chosen command, in a dialog that gives the focus back", async () => {
    await page.goto(tides);
    await saved(page);
    await titleBox(page).focus();
    await page.keyboard.press("Control+k");
    await hasFocus(asking(page));
    await page.keyboard.type("name version");
    await expect.poll(() => announced(page)).toContain("Name this version");
    await page.keyboard.press("Enter");
    await hasFocus(page.getByRole("dialog", { name: "Name this version" }));
    await page.keyboard.press("Escape");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("Title");
  });

  it("[PALETTE-5] offers a reader nothing that the law refuses them", async () => {
    await ben.page.goto(tides);
    await text(ben.page).waitFor();
    await ben.page.getByRole("button", { name: "Search" }).first().click();
    await hasFocus(asking(ben.page));
    await ben.page.keyboard.type("trash");
    await expect.poll(() => rows(ben.page)).toContainEqual(expect.stringContaining("Go to trash"));
    expect((await rows(ben.page)).join()).not.toContain("Move to trash");
    await asking(ben.page).fill("new document");
    await expect.poll(() => rows(ben.page)).toEqual([expect.stringContaining("Search all")]);
  });
});

describe("the list of shortcuts", () => {
  it("[KEYS-1] opens outside fields on every page and in the player, without barriers", async () => {
    for (const path of [`/w/${ana.workspace}`, "/account"]) {
      await page.goto(path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      // The page handles keys once its code has loaded.
      await expect
        .poll(async () => {
          await page.keyboard.press("?");
          return shortcuts(page).count();
        })
        .toBe(1);
      await hasFocus(shortcuts(page));
      await page.keyboard.press("Escape");
      await shortcuts(page).waitFor({ state: "detached" });
    }
    await page.goto(`${tides}?at=3`);
    await past(page).waitFor();
    await revisionSlider(page).focus();
    await page.keyboard.press("?");
    await shortcuts(page).getByText("Play or pause").waitFor();
    expect(await inBothThemes(page, "[role=dialog]")).toEqual([]);
    await page.keyboard.press("Escape");
    await expect
      .poll(() => revisionSlider(page).evaluate((it) => it === document.activeElement))
      .toBe(true);
  });

  it("[KEYS-3] leaves a question mark to a field, and opens by Ctrl+/ there", async () => {
    await page.goto(tides);
    await saved(page);
    await titleBox(page).focus();
    await page.keyboard.press("End");
    await page.keyboard.type("?");
    await expect.poll(() => titleBox(page).innerText()).toBe("Tides?");
    expect(await shortcuts(page).count()).toBe(0);
    // The page handles keys once its code has loaded; while a dialog is open the key does nothing.
    await expect
      .poll(async () => {
        await page.keyboard.press("Control+/");
        return shortcuts(page).count();
      })
      .toBe(1);
  });
});
