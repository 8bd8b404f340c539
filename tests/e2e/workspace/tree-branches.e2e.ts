import type { Browser } from "playwright";
import { beforeAll, expect, it } from "vitest";
import { barriers } from "../support/browser/axe";
import { saved, shownId, titleBox, writable } from "../support/person";
import type { Person } from "../support/person";
import { phoneOf } from "../support/browser/phone";
import { sharedBrowser } from "../support/browser/shared-browser";
import { isFocused, row, shows, treeScene } from "../support/tree";

let browser: Browser;
let ana: Person;
let ben: Person;
let workspace: string;
let documents: Record<string, string>;

beforeAll(async () => {
  browser = await sharedBrowser();
  ({ ana, ben, workspace, documents } = await treeScene(
    browser,
    ["The house", "Roof", "Garden", "Minutes"],
    { Roof: "The house" },
  ));
  await row(ana.page, "The house").press("ArrowRight");
  await row(ana.page, "Roof").waitFor();
});

it("[TREE-7] a long press on a row opens its menu on a phone", async () => {
  const context = await phoneOf(browser, ana);
  const page = await context.newPage();
  await page.goto(`/w/${workspace}`);
  await page.getByRole("button", { name: "Pages" }).click();
  // Touch handlers load together with key handlers.
  await expect
    .poll(async () => {
      await row(page, "The house").focus();
      await page.keyboard.press("End");
      return row(page, "Minutes").evaluate((shown) => shown === document.activeElement);
    })
    .toBe(true);
  const box = await row(page, "Garden").boundingBox();
  if (!box) throw new Error("no place");
  const finger = await context.newCDPSession(page);
  const touchPoints = [{ x: box.x + 80, y: box.y + box.height / 2 }];
  await finger.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  await page.getByRole("menu", { name: "Document actions" }).waitFor();
  await finger.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  const rename = page.getByRole("menuitem", { name: "Rename" });
  await rename.waitFor();
  expect(new URL(page.url()).pathname).toBe(`/w/${workspace}`);
  expect(await barriers(page)).toEqual([]);
  // A menu behind the sheet would exist, but could not be tapped.
  await rename.tap();
  await isFocused(page.getByRole("dialog").getByRole("textbox"));
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").getByRole("textbox").waitFor({ state: "detached" });
  await row(page, "Garden").waitFor();

  // The sheet opens at the current document, even if that is below its visible part.
  const path = await row(page, "Minutes").getByRole("link").getAttribute("href");
  await page.setViewportSize({ width: 390, height: 440 });
  await page.goto(path ?? "");
  await page.getByRole("button", { name: "Pages" }).click();
  const isInSight = () =>
    row(page, "Minutes").evaluate((shown) => {
      const list = shown.closest("[role=tree]")?.parentElement?.getBoundingClientRect();
      const { top, bottom } = shown.getBoundingClientRect();
      return list !== undefined && top >= list.top - 1 && bottom <= list.bottom + 1;
    });
  await expect.poll(isInSight).toBe(true);
  await context.close();
});

it("[TREE-8] a new document starts inside another one, and its bar shows its place", async () => {
  const { page } = ana;
  await row(page, "Roof").hover();
  await row(page, "Roof").getByRole("button", { name: "New document inside" }).click();
  await page.waitForURL("**/d/*");
  await writable(page).waitFor();
  const inside = shownId(page);
  await titleBox(page).fill("Tiles");
  await saved(page);
  await shows(page, "The house", "-Roof", "--Tiles", "Garden", "Minutes");
  const crumbs = page.getByRole("navigation", { name: "Breadcrumb" });
  const names = async () =>
    (await crumbs.getByRole("listitem").allInnerTexts()).slice(1).map((name) => name.trim());
  await expect.poll(names).toEqual(["The house", "Roof", "Tiles"]);
  await crumbs.getByRole("link", { name: "The house" }).click();
  await page.waitForURL(`**/d/${documents["The house"]}`);

  // The branch goes to the trash as a whole, and its readers can keep reading.
  await ben.page.goto(`/d/${inside}`);
  await writable(ben.page).waitFor();
  await row(page, "The house").focus();
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Move to trash" }).click();
  await shows(page, "Garden", "Minutes");
  await ben.page.getByText("in the trash, with “The house” in which it stands").waitFor();
  await ben.page.goto(`/w/${workspace}/trash`);
  const trash = ben.page.getByRole("list", { name: "Trash" });
  await trash.getByText(/^Moved here by Ana, .*, with 2 inside$/).waitFor();
  expect(await trash.getByRole("listitem").count()).toBe(1);
  expect(await trash.getByRole("button", { name: "Delete permanently" }).count()).toBe(0);
  await trash.getByRole("button", { name: "Restore The house" }).click();
  await shows(page, "The house", "-Roof", "--Tiles", "Garden", "Minutes");
});

it("[TREE-10] a duplicate follows its original, and documents start from a template", async () => {
  const { page } = ana;
  await row(page, "Garden").focus();
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Use as template" }).click();
  await isFocused(row(page, "Garden"));
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  await row(ben.page, "Garden copy").waitFor();
  await shows(page, "The house", "-Roof", "--Tiles", "Garden", "Garden copy", "Minutes");
  // Its page replaces the shown one, and closes a menu that is open there.
  await titleBox(page).filter({ hasText: "Garden copy" }).waitFor();
  await page.getByRole("button", { name: "New from template" }).click();
  await page.getByRole("menuitem", { name: "Garden" }).click();
  await shows(page, "The house", "-Roof", "--Tiles", "Garden", "Garden copy", "Minutes", "Garden");
  // A new document takes the focus, once.
  await isFocused(titleBox(page).filter({ hasText: /^Garden$/ }));
});

it("[TREE-12] an owner purges a document and its branch by typing its title", async () => {
  const { page } = ana;
  await ben.page.goto(`/d/${documents["Roof"]}`);
  await writable(ben.page).waitFor();
  await row(page, "The house").focus();
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Move to trash" }).click();
  // The page must stay open until it is recorded.
  await ben.page.getByText("in the trash, with “The house” in which it stands").waitFor();
  await page.goto(`/w/${workspace}/trash`);
  await page.getByRole("button", { name: "Delete permanently: The house" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete “The house” permanently?" });
  await dialog.getByText("the 2 documents inside it").waitFor();
  await page.keyboard.press("Escape");
  await isFocused(page.getByRole("button", { name: "Delete permanently: The house" }));
  await page.keyboard.press("Enter");
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole("textbox").fill("House");
  await dialog.getByRole("button", { name: "Delete permanently" }).click();
  await dialog.getByText("This is not the title. Nothing was deleted.").waitFor();
  await dialog.getByRole("textbox").fill("The house");
  await dialog.getByRole("button", { name: "Delete permanently" }).click();
  await page.getByText("The trash is empty.").waitFor();
  // It closes when that is recorded, and keeps the focus until then.
  await dialog.waitFor({ state: "detached" });
  await ben.page.getByRole("heading", { name: "This document was deleted permanently" }).waitFor();
  await ben.page.reload();
  await ben.page.getByRole("heading", { name: "Document not found" }).waitFor();
});

it(
  "[TREE-7] [A11Y-1] has no serious barrier with a menu open in both themes, and opens as a " +
    "sheet on a phone",
  async () => {
    const { page } = ana;
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await row(page, "Minutes").focus();
      await page.keyboard.press("Shift+F10");
      await page.getByRole("menuitem", { name: "Move to…" }).waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await isFocused(row(page, "Minutes"));
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Pages" }).click();
    await row(page, "Minutes").waitFor();
    expect(await barriers(page)).toEqual([]);
    await row(page, "Minutes").getByRole("link").click();
    await page.waitForURL(`**/d/${documents["Minutes"]}`);
  },
);
