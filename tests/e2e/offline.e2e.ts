import type { Browser, Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import * as Y from "yjs";
import {
  newDocument,
  type Person,
  person,
  saved,
  saveStatus,
  text,
  writable,
} from "./support/person";
import { sharedBrowser } from "./support/shared-browser";
import { stored } from "./support/stored-text";
import { countWorkerAnswers, workerAnswers } from "./support/worker-answers";

let browser: Browser;
let ana: Person;
let path: string;

beforeAll(async () => {
  browser = await sharedBrowser();
  ana = await person(browser, "Ana");
  path = await newDocument(ana, "Tide table");
});

/** What the device has of a document: its page, and the words as the log has them now. */
async function cached(page: Page, path: string) {
  const kept = await page.evaluate(async (path) => {
    const shown = (await caches.match(path)) !== undefined;
    // Opened before the product does, it would be made empty.
    if (!(await indexedDB.databases()).some(({ name }) => name === "palimpsest-copies"))
      return { page: shown, states: [] };
    const copies = await new Promise<{ state: Uint8Array }[]>((settle, fail) => {
      const opening = indexedDB.open("palimpsest-copies");
      opening.onerror = () => fail(new Error("no copies"));
      opening.onsuccess = () => {
        const all = opening.result.transaction("documents").objectStore("documents").getAll();
        all.onsuccess = () => {
          opening.result.close();
          settle(all.result);
        };
      };
    });
    return { page: shown, states: copies.map(({ state }) => [...state]) };
  }, path);
  // What was typed while the page became live may stand in two places of a state.
  const words = kept.states.map((state) => {
    const doc = new Y.Doc();
    Y.applyUpdate(doc, Uint8Array.from(state));
    return doc.getXmlFragment("default").toString();
  });
  return { page: kept.page, words };
}

const everything = { page: true, words: [expect.stringContaining("tunnel")] };

describe("a connection that breaks", () => {
  it("[OFFLINE-1] says Offline, keeps what is typed, and saves it when the connection returns", async () => {
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

  it(
    "[OFFLINE-4] opens a document without a network as it was last seen, keeps what is " +
      "written then, and saves it later",
    async () => {
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
      // What was written right before is not put back by the page that is being left.
      await writable(carol.page).click();
      await carol.page.keyboard.type("tunnel");
      await saved(carol.page);
      await carol.page.locator("header, nav").getByRole("button", { name: "Carol" }).last().click();
      await carol.page.getByRole("menuitem", { name: "Sign out" }).click();
      await carol.page.waitForURL(/\/sign-in/);
      expect(await cached(carol.page, own)).toEqual({ page: false, words: [] });
      await carol.context.close();
    },
  );

  it("[OFFLINE-26] what is kept of an open document is made in a worker", async () => {
    const dora = await person(browser, "Dora", "allow");
    const own = await newDocument(dora, "For the ferry");
    await countWorkerAnswers(dora.context);
    await dora.page.goto(own);
    await text(dora.page).click();
    await dora.page.keyboard.type("Before the tunnel. ");
    await saved(dora.page);
    await expect.poll(() => cached(dora.page, own)).toEqual(everything);
    // Nobody else writes: one's own rows are not read back, and count even so.
    await dora.page.keyboard.type("Long after the first copy. ");
    await saved(dora.page);
    await expect
      .poll(() => cached(dora.page, own))
      .toEqual({ page: true, words: [expect.stringContaining("Long after the first copy.")] });
    expect(await workerAnswers(dora.page, "states")).toBeGreaterThan(0);
    expect(await workerAnswers(dora.page, "errors")).toBe(0);
    // A page that ends makes it itself, and is not there any more when the device has it.
    await dora.page.keyboard.type("Just before the end. ");
    await saved(dora.page);
    await dora.context.setOffline(true);
    await dora.page.reload();
    expect(await cached(dora.page, own)).toEqual({
      page: true,
      words: [expect.stringContaining("Just before the end.")],
    });
    await dora.context.close();
  });

  it(
    "[OFFLINE-5] keeps the text where the code of the history cannot be fetched, and " +
      "opens it when it can",
    async () => {
      const { page } = ana;
      await page.goto(path);
      await writable(page).click();
      // What saves a text comes behind it, and a page that lacks it has nothing to keep on with.
      await page.keyboard.type("Written with it. ");
      await saved(page);
      // Let through later, not unrouted: a request that is on its way then is answered by nobody.
      let isOut = true;
      await page.route("**/_next/static/**", (route) => (isOut ? route.abort() : route.continue()));
      await page.getByRole("button", { name: "History" }).click();
      await page.getByText("The history is being fetched.").waitFor();
      await page.getByRole("button", { name: "Back to live" }).click();
      await text(page).click();
      await page.keyboard.press("Control+End");
      await page.keyboard.type("Written without the rest. ");
      await saved(page);
      await page.getByRole("button", { name: "History" }).click();
      isOut = false;
      await page.getByRole("slider", { name: "Moment" }).waitFor();
      await page.goBack();
      expect(await text(page).innerText()).toContain("Written without the rest.");
      await page.unrouteAll({ behavior: "wait" });
    },
  );

  it("[OFFLINE-3] asks to sign in again in place when the session ends, and saves what was typed", async () => {
    // Nothing is refused before all is typed: the rest would go into the dialog.
    let release = () => {};
    const typed = new Promise<void>((settle) => (release = settle));
    await ana.page.route("**/rest/v1/**", (route) => typed.then(() => route.continue()));
    await ana.context.clearCookies();
    await text(ana.page).click();
    await ana.page.keyboard.press("Control+End");
    await ana.page.keyboard.type("Written while signed out. ");
    release();
    const dialog = ana.page.getByRole("dialog");
    await dialog.getByLabel("Password", { exact: true }).fill(ana.password);
    await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
    await saved(ana.page);
    await ana.page.unrouteAll({ behavior: "wait" });
    const fresh = await ana.context.newPage();
    await fresh.goto(path);
    await expect.poll(() => text(fresh).innerText()).toContain("Written while signed out.");
    await fresh.close();
  });
});
