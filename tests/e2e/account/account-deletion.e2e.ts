import { readFile } from "node:fs/promises";
import { strFromU8, unzipSync } from "fflate";
import type { Browser, Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { barriers } from "../support/browser/axe";
import type { Person } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";
import { sharedDocument } from "../support/shared-document";

let browser: Browser;
let ana: Person;
let ben: Person;
let workspace: string;

beforeAll(async () => {
  browser = await sharedBrowser();
  ({ ana, ben, workspace } = await sharedDocument(browser, {
    title: "Tides",
    begun: "Low water at noon. ",
    ended: "High water at six.",
  }));
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** axe's findings in the page, in light and in dark. */
async function seriousIn(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await barriers(page)));
  }
  await page.emulateMedia({ colorScheme: "light" });
  return found;
}

/** Presses a button by keyboard alone, as after reaching it by Tab. */
async function press(page: Page, name: string): Promise<void> {
  await button(page, name).focus();
  await page.keyboard.press("Enter");
}

describe("an account", () => {
  it("[ACC-30] [ACC-32] is downloaded as one archive, by keyboard", async () => {
    const { page } = ana;
    await page.goto("/account");
    // The message that it is done disappears by itself.
    const words = page.getByText("Your data is saved").first();
    const ending = [page.waitForEvent("download"), words.waitFor()] as const;
    await press(page, "Download my data");
    const [download] = await Promise.all(ending);
    expect(download.suggestedFilename()).toBe("palimpsest-data.zip");
    const files = unzipSync(await readFile(await download.path()));
    const told = Object.fromEntries(
      Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]),
    );
    expect(Object.keys(told).sort()).toEqual([
      "documents/1 Tides.html",
      "documents/1 Tides.json",
      "index.html",
      "profile.json",
    ]);
    expect(told["documents/1 Tides.html"]).toContain("Low water at noon.");
    expect(told["index.html"]).toContain(ana.email);
    for (const text of Object.values(told)) expect(text).not.toMatch(/High water|<script/);
    await expect
      .poll(() =>
        button(page, "Download my data").evaluate((own) => own === document.activeElement),
      )
      .toBe(true);
    // The index page of the archive has to be accessible too.
    const reader = await ana.context.newPage();
    await reader.setContent(told["index.html"] ?? "");
    expect(await barriers(reader)).toEqual([]);
    await reader.close();
  });

  it("[ACC-44] [ACC-47] stays while a workspace would lose its last owner, and names that", async () => {
    const { page } = ana;
    await page.goto("/account");
    await press(page, "Delete account");
    const dialog = page.getByRole("dialog", { name: "Delete account" });
    const link = dialog.getByRole("list").getByRole("link");
    await link.waitFor();
    expect(await link.getAttribute("href")).toBe(`/w/${workspace}/members`);
    expect(await dialog.getByRole("button").allInnerTexts()).not.toContain(
      "Delete account for good",
    );
    expect(await seriousIn(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  it("[ACC-40] [ACC-47] is deleted by typing its address, and becomes a former member's", async () => {
    const { page } = ben;
    await page.goto("/account");
    await press(page, "Delete account");
    const dialog = page.getByRole("dialog", { name: "Delete account" });
    const field = dialog.getByLabel("Your email address, to confirm");
    await field.waitFor();
    expect(await dialog.innerText()).toMatch(/They are deleted with everything in them/);
    expect(await seriousIn(page)).toEqual([]);
    await field.focus();
    await page.keyboard.type(ana.email);
    await page.keyboard.press("Enter");
    await dialog.getByText("This is not the address of your account.").waitFor();
    await field.fill(ben.email);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/sign-in?deleted=1");
    await page.getByText("Your account was deleted.").waitFor();
    expect(await seriousIn(page)).toEqual([]);
    const kept = await page.evaluate(() => Object.keys(localStorage).join());
    expect(kept).not.toContain("palimpsest:statement");
    await page.goto(`/w/${workspace}`);
    expect(new URL(page.url()).pathname).toBe("/sign-in");
    await ana.page.goto(`/w/${workspace}/activity`);
    await ana.page.getByText("Former member").first().waitFor();
    expect(await ana.page.locator("main").innerText()).not.toMatch(/\bBen\b/);
  });
});
