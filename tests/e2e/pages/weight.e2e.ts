import type { Browser } from "playwright";
import { beforeAll, expect, test } from "vitest";
import {
  scriptLimits,
  weighAll,
  weighHtml,
  weighUntil,
  weightOf,
  writableText,
} from "@/tests/support/script-weight";
import { newBrowser } from "../support/account";
import { newDocument, person, text } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
test("[WEIGHT-1] the sign-in page has little JavaScript, and loads the rest at the first touch", async () => {
  const { context, page } = await newBrowser(browser);
  expect(weightOf(await weighAll(page, "/sign-in"))).toBeLessThan(scriptLimits.signIn);
  const client = page.waitForRequest((request) => request.resourceType() === "script");
  await page.getByLabel("Email").press("a");
  await client;
  await context.close();
});

test("[WEIGHT-1] lists and texts need little JavaScript before they are usable", async () => {
  const ana = await person(browser, "Ana");
  const { workspace } = ana;
  const path = await newDocument(ana, "Light");
  expect(weightOf(await weighHtml(ana.page, `/w/${workspace}`))).toBeLessThan(scriptLimits.lists);
  const weigh = async () =>
    weightOf(await weighUntil(await ana.context.newPage(), path, writableText));
  // A page that is unusable for eight seconds loads the rest anyway, as on a stalled machine.
  expect(Math.min(await weigh(), await weigh())).toBeLessThan(scriptLimits.text);
  await ana.context.close();
});

test("[WEIGHT-2] table editing loads with the first table, and earlier edits can still be undone", async () => {
  const ana = await person(browser, "Ana");
  await newDocument(ana);
  const { page } = ana;
  await text(page).click();
  await page.keyboard.type("Before");
  await page.keyboard.press("Enter");
  await page.keyboard.type("/table");
  await page.getByRole("option", { name: "Table" }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type("Day");
  await page.getByRole("toolbar", { name: "Table" }).waitFor();
  // Eight more cells, and then a row that Tab adds.
  for (let cell = 0; cell < 9; cell++) await page.keyboard.press("Tab");
  await page.keyboard.type("Tenth");
  expect(await text(page).locator("tr").count()).toBe(4);
  expect(await text(page).locator("tr").last().innerText()).toContain("Tenth");
  await page.getByRole("button", { name: "Delete row" }).click();
  expect(await text(page).locator("tr").count()).toBe(3);
  // The focus is on the bar's button.
  await text(page).getByText("Before").click();
  while ((await text(page).locator("table").count()) > 0) await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+Shift+z");
  await text(page).getByText("Before").waitFor();
  await ana.context.close();
});
