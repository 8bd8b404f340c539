import type { Browser, Page } from "playwright";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { bodyOf } from "@/events/core/recorded-body";
import { supabaseStore } from "@/events/log/store";
import { bringIn } from "@/tests/support/writers/writers";
import { marked, thread } from "../support/comments";
import { installForeign, runForeign } from "../support/browser/foreign-scripts";
import type { ForeignScript } from "../support/browser/foreign-scripts";
import { newDocument, person, saved, text, titleBox, writable } from "../support/person";
import type { Person } from "../support/person";
import { expectRecorded, loggedBlocks } from "../support/recorded";
import { select } from "../support/browser/selection";
import { sharedBrowser } from "../support/browser/shared-browser";

const everybody: ForeignScript[] = ["grammar checker", "password manager", "translator"];

let browser: Browser;
let ana: Person;
let ben: Person;
let path: string;
const faults: string[] = [];

function listen(page: Page): void {
  page.on("pageerror", (fault) => faults.push(`${page.url()}: ${fault.stack ?? fault.message}`));
}

beforeAll(async () => {
  browser = await sharedBrowser();
  ana = await person(browser, "Ana");
  ben = await person(browser, "Ben");
  for (const { page } of [ana, ben]) listen(page);
  path = await newDocument(ana, "Tide table");
  await text(ana.page).click();
  await ana.page.keyboard.type("# High water\nAt six in the morning.\n- one\ntwo\n\nLow at noon.");
  await saved(ana.page);
  await bringIn(ana, ben, ana.workspace, "editor");
});

/** The events of a document as their types, with the title if they set one. */
async function events({ client }: Person, document: string): Promise<string[]> {
  const rows = await supabaseStore(client).read(document, 0);
  return rows.map((row) => {
    const title = bodyOf(row, "document.renamed")?.title;
    return title === undefined ? row.type : `${row.type} ${title}`;
  });
}

/** Opens each menu and dialog that has a button in the page. */
async function openLayers(page: Page): Promise<number> {
  let opened = 0;
  const buttons = page.locator('[aria-haspopup]:not([role="combobox"]):visible');
  const count = await buttons.count();
  for (let index = 0; index < Math.min(count, 6); index += 1) {
    await buttons.nth(index).click();
    await page.getByRole("menu").or(page.getByRole("dialog")).first().waitFor();
    opened += 1;
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator('[role="menu"], [role="dialog"]').count()).toBe(0);
  }
  return opened;
}

const outside = [
  "/sign-in",
  "/sign-up",
  "/forgot-password",
  "/reset-password",
  "/auth/confirm",
  "/mail",
];

describe.each([
  ["before its scripts are there", installForeign],
  ["once it is there", null],
] as const)("a page that foreign scripts change %s", (_, install) => {
  it.each(outside)("[FOREIGN-3] works at %s", async (route) => {
    const context = await browser.newContext({ baseURL: inject("url"), reducedMotion: "reduce" });
    const page = await context.newPage();
    listen(page);
    await install?.(page, everybody);
    await page.goto(route);
    await page.getByRole("main").first().waitFor();
    await page.waitForLoadState("networkidle");
    if (install === null) await runForeign(page, everybody);
    await expect.poll(() => page.locator("font").count()).toBeGreaterThan(0);
    const field = page.locator("main input:visible").first();
    if ((await field.count()) > 0) {
      await field.fill("ana");
      expect(await field.inputValue()).toBe("ana");
    }
    // By a link of the page, if it has one.
    const link = page.locator('main a[href^="/sign-"], main a[href^="/forgot"]').first();
    if ((await link.count()) > 0) {
      const href = await link.getAttribute("href");
      await link.click();
      await page.waitForURL((url) => url.pathname === href?.replace(/\?.*/, ""));
      await page.getByRole("main").first().waitFor();
    }
    expect(faults.splice(0)).toEqual([]);
    await context.close();
  });

  it("[FOREIGN-3] works on every route of a workspace", async () => {
    const { workspace } = ana;
    const before = await events(ana, path.slice(3));
    const page = await ana.context.newPage();
    listen(page);
    await install?.(page, everybody);
    for (const route of [
      `/w/${workspace}`,
      `/w/${workspace}/members`,
      `/w/${workspace}/activity`,
      `/w/${workspace}/trash`,
      path,
      `${path}?at=3`,
      `${path}?compare=3&with=now`,
      "/account",
      "/nowhere",
    ]) {
      await page.goto(route);
      await page.getByRole("main").first().waitFor();
      if (route === path) await writable(page).waitFor();
      await page.waitForLoadState("networkidle");
      if (install === null) await runForeign(page, everybody);
      await expect.poll(() => page.locator("font").count()).toBeGreaterThan(0);
      if (route !== "/nowhere" && route !== "/account")
        expect(await openLayers(page)).toBeGreaterThan(0);
      const link = page.locator(`a[href="/w/${workspace}"]`).first();
      if ((await link.count()) > 0) {
        await link.click();
        await page.waitForURL(`**/w/${workspace}`);
        await page.getByRole("heading", { level: 1 }).first().waitFor();
      }
      expect({ route, faults: faults.splice(0) }).toEqual({ route, faults: [] });
    }
    await page.close();
    expect(await events(ana, path.slice(3))).toEqual(before);
  });
});

it("[FOREIGN-4] a document is written, renamed and discussed, and the log holds what was typed", async () => {
  const document = path.slice(3);
  await ana.page.goto(path);
  await writable(ana.page).waitFor();
  await ben.page.goto(path);
  await writable(ben.page).waitFor();
  await saved(ana.page);
  const before = await loggedBlocks(ana, document);
  const { length } = await events(ana, document);
  await runForeign(ana.page, everybody);
  // Without typing, the change is rendered away and not recorded.
  await expect.poll(() => text(ana.page).locator("g-mark, g-card").count()).toBe(0);
  expect(await loggedBlocks(ana, document)).toEqual(before);

  await writable(ana.page).click();
  await ana.page.keyboard.press("Control+End");
  await ana.page.keyboard.type(" And again at six.");
  await ana.page.keyboard.press("Enter");
  await ana.page.keyboard.type("Ana wrote this.");
  await ben.page.getByText("Ana wrote this.").waitFor();
  await writable(ben.page).click();
  await ben.page.keyboard.press("Control+End");
  await ben.page.keyboard.press("Enter");
  await ben.page.keyboard.type("Ben wrote that.");
  await text(ana.page).getByText("Ben wrote that.").waitFor();
  await expectRecorded(ana, ben);
  expect(await loggedBlocks(ana, document)).toEqual([
    ...before.slice(0, -1),
    `${before.at(-1)} And again at six.`,
    "Ana wrote this.",
    "Ben wrote that.",
  ]);

  await titleBox(ana.page).click();
  await ana.page.keyboard.press("End");
  await ana.page.keyboard.type(" of May");
  await ana.page.keyboard.press("Enter");
  await expect
    .poll(async () =>
      (await events(ana, document)).filter((event) => event.includes("renamed")).at(-1),
    )
    .toBe("document.renamed Tide table of May");
  await expect.poll(() => titleBox(ben.page).innerText()).toBe("Tide table of May");

  await select(ana.page, "Ana wrote");
  await ana.page.keyboard.press("Control+Shift+M");
  await ana.page.locator("textarea:focus").waitFor();
  await ana.page.keyboard.type("Is that so?");
  await ana.page.keyboard.press("Control+Enter");
  await thread(ben.page, "Ana wrote").getByText("Is that so?").waitFor();
  await marked(ben.page).click();
  await ben.page.keyboard.press("Control+Shift+M");
  await ben.page.locator("textarea:focus").fill("It is.");
  await ben.page.keyboard.press("Control+Enter");
  await ana.page.getByText("It is.").first().waitFor();

  const added = (await events(ana, document)).slice(length);
  expect(added.filter((event) => event !== "document.edited")).toEqual([
    "document.renamed Tide table of May",
    "thread.opened",
    "comment.added",
    "comment.added",
  ]);
  expect(faults.splice(0)).toEqual([]);
});

it("[FOREIGN-4] an extension that rewrites every rendering adds no word of its own", async () => {
  const document = path.slice(3);
  await ana.page.goto(path);
  await writable(ana.page).click();
  await ana.page.keyboard.press("Control+End");
  await saved(ana.page);
  const before = (await loggedBlocks(ana, document)).join("");
  await runForeign(ana.page, ["rude translator"]);
  await ana.page.keyboard.type("typed all the same");
  await expect
    .poll(async () => (await loggedBlocks(ana, document)).join("").length)
    .toBe(before.length + "typed all the same".length);
  const after = (await loggedBlocks(ana, document)).join("");
  expect(after).not.toMatch(/[‹›]/u);
  expect([...after].toSorted()).toEqual([...`${before}typed all the same`].toSorted());
  expect(faults.splice(0)).toEqual([]);
});
