import type { Browser, Page } from "playwright";
import { beforeAll, expect, it } from "vitest";
import { barriers } from "../support/browser/axe";
import { newDocument, person, saved, writable } from "../support/person";
import type { Person } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
let ana: Person;
let path: string;

beforeAll(async () => {
  browser = await sharedBrowser();
  ana = await person(browser, "Ana");
  path = await newDocument(ana, "Inspected title");
});
const panel = (page: Page) => page.getByRole("region", { name: "Sync inspector" });
/** The value that the panel shows under a name. */
const fact = (page: Page, name: string) =>
  panel(page)
    .locator("dl > div")
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator("dd")
    .first();

it("appears, and loads its code, only with its parameter", async () => {
  const { page } = ana;
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.push(request.url());
  });
  await page.goto(path);
  await writable(page).waitFor();
  await saved(page);
  expect(await panel(page).count()).toBe(0);
  const without = new Set(scripts.splice(0));
  await page.goto(`${path}?debug=sync`);
  await panel(page).waitFor();
  expect(scripts.filter((script) => !without.has(script)).length).toBeGreaterThan(0);
});

it("follows typing without its words, and copies the report", async () => {
  const { page, context } = ana;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${path}?debug=sync`);
  await writable(page).waitFor();
  await saved(page);
  await expect.poll(() => fact(page, "outbox").innerText()).toBe("empty");
  const before = Number(await fact(page, "version").innerText());
  await page.route("**/rest/v1/rpc/append_events*", (route) => route.abort());
  await writable(page).click();
  await page.keyboard.type("marmalade");
  await expect.poll(async () => Number(await fact(page, "failed sends").innerText())).not.toBe(0);
  await expect.poll(() => panel(page).innerText()).toContain("send");
  await expect.poll(async () => Number(await fact(page, "records").innerText())).toBeGreaterThan(0);
  await page.unroute("**/rest/v1/rpc/append_events*");
  await saved(page);
  await expect
    .poll(async () => Number(await fact(page, "version").innerText()))
    .toBeGreaterThan(before);
  let copied = "";
  // A live page reads the log from time to time, and its report says so.
  await expect
    .poll(async () => {
      await panel(page).getByRole("button", { name: "Copy report" }).focus();
      await page.keyboard.press("Enter");
      await panel(page).getByRole("status").filter({ hasText: "Report copied" }).waitFor();
      copied = await page.evaluate(() => navigator.clipboard.readText());
      return JSON.parse(copied);
    })
    .toMatchObject({ machine: { link: "live" }, status: "Saved" });
  expect(copied).not.toMatch(/marmalade|Inspected/);
});

it.each(["light", "dark"] as const)(
  "[A11Y-1] has no barriers in the %s theme, and fits a narrow screen",
  async (colorScheme) => {
    const { page } = ana;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(`${path}?debug=sync`);
    await fact(page, "version").waitFor();
    expect(await barriers(page)).toEqual([]);
    const box = await panel(page).boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320);
    const summary = panel(page).locator("summary");
    await summary.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => fact(page, "version").isVisible()).toBe(false);
    await page.setViewportSize({ width: 1280, height: 800 });
  },
);
