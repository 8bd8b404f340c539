import type { Browser, Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { bringIn } from "@/tests/support/writers/writers";
import { newDocument, person, saved, text, writable } from "../support/person";
import type { Person } from "../support/person";
import { revisionSlider, past } from "../support/player";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
let ana: Person;
let ben: Person;
let workspace: string;
let path: string;

const paragraphs = 120;

beforeAll(async () => {
  browser = await sharedBrowser();
  ana = await person(browser, "Ana");
  ben = await person(browser, "Ben");
  ({ workspace } = ana);
  await bringIn(ana, ben, workspace, "editor");
  path = await newDocument(ana, "Minutes of all years");
  await writable(ana.page).click();
  await writable(ana.page).evaluate((editor, count) => {
    const data = new DataTransfer();
    const line = (at: number) =>
      `<p>Item ${at + 1} was agreed, ${"after a talk that took its time ".repeat(at % 7)}and written down.</p>`;
    data.setData("text/html", Array.from({ length: count }, (_, at) => line(at)).join(""));
    editor.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, paragraphs);
  await text(ana.page).getByText(`Item ${paragraphs} was agreed`).waitFor();
  await saved(ana.page);
});

const line = (page: Page, number: number) =>
  page.getByText(`Item ${number} was agreed,`).filter({ visible: true });
const topOf = (page: Page, number: number) =>
  line(page, number).evaluate((element) => Math.round(element.getBoundingClientRect().top));
const readTo = (page: Page, number: number) =>
  line(page, number).evaluate((element) =>
    element.scrollIntoView({ block: "start", behavior: "instant" }),
  );

describe("the reading position", () => {
  it("[DOCS-14] is where the history opens and Back to live leads, even after newer edits elsewhere", async () => {
    await ben.page.goto(path);
    await writable(ben.page).click();
    await ben.page.keyboard.press("Control+End");
    await ben.page.keyboard.type(" And one more.");
    await saved(ben.page);
    await text(ana.page).getByText("And one more.").waitFor();
    for (const number of [40, 77]) {
      await readTo(ana.page, number);
      const before = await topOf(ana.page, number);
      await ana.page.getByRole("button", { name: "History" }).click();
      await revisionSlider(ana.page).waitFor();
      await past(ana.page).getByText(`Item ${number} was agreed,`).waitFor();
      await expect
        .poll(async () => Math.abs((await topOf(ana.page, number)) - before))
        .toBeLessThanOrEqual(2);
      await ana.page.getByRole("button", { name: /^Back to live/ }).click();
      await revisionSlider(ana.page).waitFor({ state: "detached" });
      await expect
        .poll(async () => Math.abs((await topOf(ana.page, number)) - before))
        .toBeLessThanOrEqual(2);
    }
  });

  it("[DOCS-14] survives a reload and what others wrote above it", async () => {
    await readTo(ana.page, 60);
    const before = await topOf(ana.page, 60);
    // Stored a moment after scrolling ends, and when the page is left.
    await ben.page.keyboard.press("Control+Home");
    await ana.page.reload();
    await expect
      .poll(async () => Math.abs((await topOf(ana.page, 60)) - before))
      .toBeLessThanOrEqual(2);
    await writable(ana.page).waitFor();
    await saved(ana.page);
    await expect
      .poll(async () => Math.abs((await topOf(ana.page, 60)) - before))
      .toBeLessThanOrEqual(2);
    await ana.page.goto("about:blank");
    await ben.page.keyboard.type("Said later. ");
    await ben.page.keyboard.press("Enter");
    await saved(ben.page);
    await ana.page.goBack();
    await writable(ana.page).waitFor();
    // By then the place is no longer held.
    await saved(ana.page);
    await expect
      .poll(async () => Math.abs((await topOf(ana.page, 60)) - before))
      .toBeLessThanOrEqual(2);
  });

  it("[DOCS-14] is found by Back even if a link was followed while scrolling", async () => {
    await readTo(ana.page, 30);
    await ana.page.getByRole("link", { name: "Members" }).first().waitFor();
    const before = await line(ana.page, 70).evaluate((element) => {
      element.scrollIntoView({ block: "start", behavior: "instant" });
      document.querySelector<HTMLElement>('a[href$="/members"]')?.click();
      return Math.round(element.getBoundingClientRect().top);
    });
    await ana.page.waitForURL(/members/);
    await ana.page.goBack();
    await writable(ana.page).waitFor();
    // By then the place is no longer held.
    await saved(ana.page);
    await expect
      .poll(async () => Math.abs((await topOf(ana.page, 70)) - before))
      .toBeLessThanOrEqual(2);
  });

  it("[DOCS-14] is found by Back from another page, and not by a link", async () => {
    await readTo(ana.page, 90);
    const before = await topOf(ana.page, 90);
    await ana.page.getByRole("link", { name: "Members" }).first().click();
    await ana.page.waitForURL(/members/);
    await ana.page.goBack();
    await writable(ana.page).waitFor();
    // By then the place is no longer held.
    await saved(ana.page);
    await expect
      .poll(async () => Math.abs((await topOf(ana.page, 90)) - before))
      .toBeLessThanOrEqual(2);
    await ana.page.getByRole("link", { name: "Members" }).first().click();
    await ana.page.waitForURL(/members/);
    await ana.page.getByRole("link", { name: "Minutes of all years" }).first().click();
    await writable(ana.page).waitFor();
    await saved(ana.page);
    await expect.poll(() => topOf(ana.page, 1)).toBeGreaterThan(0);
  });
});
