import type { Browser } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { cached, everything } from "../support/bundles/cached";
import { newDocument, person, saved, saveStatus, text, writable } from "../support/person";
import type { Person } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";
import { stored } from "../support/stored-text";

let browser: Browser;
let ana: Person;
let path: string;

beforeAll(async () => {
  browser = await sharedBrowser();
  ana = await person(browser, "Ana");
  path = await newDocument(ana, "Tide table");
});

describe("a lost connection", () => {
  it("[OFFLINE-1] says Offline, keeps typed text, and saves it when the connection returns", async () => {
    await text(ana.page).click();
    await ana.page.keyboard.type("High water at six. ");
    await saved(ana.page);
    await ana.context.setOffline(true);
    await ana.page.keyboard.type("Written without a net. ");
    await saveStatus(ana.page).filter({ hasText: "Offline" }).waitFor();
    expect(await text(ana.page).innerText()).toContain("Written without a net.");
    await ana.context.setOffline(false);
    await saved(ana.page);
    const other = await ana.context.newPage();
    await other.goto(path);
    await expect.poll(() => text(other).innerText()).toContain("Written without a net.");
    await other.close();
  });

  it("[OFFLINE-2] keeps unsent edits over a reload", async () => {
    await ana.context.setOffline(false);
    await ana.context.route("**/rest/v1/rpc/append_events*", (route) => route.abort());
    await text(ana.page).click();
    await ana.page.keyboard.press("Control+End");
    await ana.page.keyboard.type("Typed before the crash. ");
    await expect.poll(() => saveStatus(ana.page).innerText()).not.toContain("Saved");
    await stored(ana.page);
    await ana.page.reload();
    await expect.poll(() => text(ana.page).innerText()).toContain("Typed before the crash.");
    await ana.context.unroute("**/rest/v1/rpc/append_events*");
    await saved(ana.page);
    const fresh = await ana.context.newPage();
    await fresh.goto(path);
    await expect.poll(() => text(fresh).innerText()).toContain("Typed before the crash.");
    expect((await text(fresh).innerText()).split("Typed before the crash.")).toHaveLength(2);
    await fresh.close();
  });

  it("[OFFLINE-4] opens a document as last seen, keeps text written offline, and saves it later", async () => {
    const carol = await person(browser, "Carol", "allow");
    const own = await newDocument(carol, "For the train");
    await text(carol.page).click();
    await carol.page.keyboard.type("Seen before the tunnel. ");
    await saved(carol.page);
    // The device has the page, its code and the newest words once it says so.
    await expect.poll(() => cached(carol.page, own)).toEqual(everything);
    await carol.context.setOffline(true);
    await carol.page.reload();
    await expect.poll(() => text(carol.page).innerText()).toContain("Seen before the tunnel.");
    await writable(carol.page).click();
    await carol.page.keyboard.press("Control+End");
    await carol.page.keyboard.type("Written in it. ");
    await carol.page
      .getByTitle(/kept on this device/)
      .filter({ hasText: "Offline" })
      .waitFor();
    await stored(carol.page);
    await carol.page.reload();
    await expect
      .poll(() => text(carol.page).innerText())
      .toContain("Seen before the tunnel. Written in it.");
    await carol.context.setOffline(false);
    await saved(carol.page);
    const fresh = await carol.context.newPage();
    await fresh.goto(own);
    await expect
      .poll(() => text(fresh).innerText())
      .toContain("Seen before the tunnel. Written in it.");
    await fresh.close();
    // The page being left must not restore what was replaced just before.
    await writable(carol.page).click();
    await carol.page.keyboard.type("tunnel");
    await saved(carol.page);
    await carol.page.locator("header, nav").getByRole("button", { name: "Carol" }).last().click();
    await carol.page.getByRole("menuitem", { name: "Sign out" }).click();
    await carol.page.waitForURL(/\/sign-in/);
    expect(await cached(carol.page, own)).toEqual({ page: false, words: [] });
    await carol.context.close();
  });

  it("[OFFLINE-3] asks to sign in again in place when the session ends, and saves typed text", async () => {
    await ana.context.clearCookies();
    await text(ana.page).click();
    await ana.page.keyboard.press("Control+End");
    await ana.page.keyboard.type("Written while signed out. ");
    const dialog = ana.page.getByRole("dialog");
    await dialog.getByLabel("Password", { exact: true }).fill(ana.password);
    await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
    await saved(ana.page);
    const fresh = await ana.context.newPage();
    await fresh.goto(path);
    await expect.poll(() => text(fresh).innerText()).toContain("Written while signed out.");
    await fresh.close();
  });
});
