import type { Browser, Page } from "playwright";
import { afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { middleman } from "../support/middleman";
import type { Middleman, Meddling } from "../support/middleman";
import { newDocument, person, saved, text, writable } from "../support/person";
import type { Person } from "../support/person";
import { revisionSlider } from "../support/player";
import { countWorkerAnswers, workerAnswers } from "../support/browser/worker-answers";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
let between: Middleman;
beforeAll(async () => {
  browser = await sharedBrowser();
});
beforeEach(async () => {
  between = await middleman(() => inject("url"));
});
afterEach(() => between.close());

/** A document that its page reports as kept on the device, controlled by the service worker. */
async function cachedDocument(name: string): Promise<{ who: Person; path: string }> {
  const who = await person(browser, name, "allow", between.url);
  const path = await newDocument(who, "Tide table");
  await writable(who.page).click();
  await who.page.keyboard.type("High water at six. ");
  await saved(who.page);
  await expect.poll(() => cachedPages(who.page)).toContain(path);
  await who.page.reload();
  await writable(who.page).waitFor();
  expect(await who.page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  return { who, path };
}

const cachedPages = (page: Page) =>
  page.evaluate(async () => {
    const requests = await (await caches.open("pages")).keys();
    return requests.map(({ url }) => new URL(url).pathname);
  });

const portal: Meddling = (_incoming, outgoing) => {
  outgoing
    .writeHead(200, { "content-type": "text/html; charset=utf-8" })
    .end("<!DOCTYPE html><html><body>Log in to the Wi-Fi</body></html>");
  return true;
};

/**
 * A release: the previous page's files are gone until a page is loaded again. Saving is impossible
 * meanwhile.
 */
function release(): Meddling {
  let isNew = false;
  return ({ url = "", headers }, outgoing) => {
    if (headers["sec-fetch-mode"] === "navigate") isNew = true;
    if (url.includes("append_events")) outgoing.destroy();
    else if (!isNew && url.startsWith("/_next/static/"))
      outgoing
        .writeHead(404, { "content-type": "text/plain", "x-palimpsest-build": "newer" })
        .end();
    else if (!isNew && url === "/robots.txt")
      outgoing
        .writeHead(200, { "content-type": "text/plain", "x-palimpsest-build": "newer" })
        .end();
    else return false;
    return true;
  };
}

describe("a network with a captive portal", () => {
  it("[OFFLINE-20] shows the portal, and keeps the stored document for use without a network", async () => {
    const { who, path } = await cachedDocument("Ana");
    const { page, context } = who;
    for (const answer of [portal, redirecting, failing]) {
      between.meddle(answer);
      const other = await context.newPage();
      await other.goto(path).catch(() => undefined);
      await other.close();
    }
    between.meddle(portal);
    await page.goto(path);
    await page.getByText("Log in to the Wi-Fi").waitFor();
    await context.setOffline(true);
    await page.goto(path);
    await expect.poll(() => text(page).innerText()).toContain("High water at six.");
    await context.setOffline(false);
    between.meddle(null);
    await page.goto(path);
    await writable(page).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Low water at noon.");
    await saved(page);
    await context.close();
  });
});

const redirecting: Meddling = (_incoming, outgoing) => {
  outgoing.writeHead(302, { location: "http://127.0.0.1:9/login" }).end();
  return true;
};

const failing: Meddling = (_incoming, outgoing) => {
  outgoing.writeHead(404, { "content-type": "text/html" }).end("<html>No such host</html>");
  return true;
};

describe("a newer build than the page's", () => {
  it("[OFFLINE-24] is announced when the history is opened, and a reload keeps unsent text", async () => {
    const ben = await person(browser, "Ben", "block", between.url);
    const { page } = ben;
    const path = await newDocument(ben, "Older");
    await writable(page).click();
    await page.keyboard.type("Written before the release. ");
    await saved(page);
    between.meddle(release());
    await page.keyboard.type("Written while it was there. ");
    await page.getByRole("button", { name: "History" }).click();
    const inPlace = page.getByText(
      "A new version of Palimpsest was released. Reload the page to open the history",
    );
    await inPlace.waitFor();
    await page
      .getByText("A new version of Palimpsest was released. Reload the page to use it")
      .first()
      .waitFor();
    await inPlace.locator("..").getByRole("button", { name: "Reload" }).click();
    await revisionSlider(page).waitFor();
    await page.getByRole("button", { name: "Back to live" }).click();
    await expect
      .poll(() => text(page).innerText())
      .toContain("Written before the release. Written while it was there.");
    between.meddle(null);
    await saved(page);
    const fresh = await ben.context.newPage();
    await fresh.goto(path);
    await expect.poll(() => text(fresh).innerText()).toContain("Written while it was there.");
    await ben.context.close();
  });
});

describe("the page's workers", () => {
  it.each(["allow", "block"] as const)(
    "[OFFLINE-23] derive the history, with service workers that are %sed",
    async (workers) => {
      const { who, path } =
        workers === "allow"
          ? await cachedDocument("Carol")
          : { who: await person(browser, "Carol", "block", between.url), path: null };
      const own = path ?? (await newDocument(who, "Beside"));
      if (path === null) {
        await writable(who.page).click();
        await who.page.keyboard.type("Some words.");
        await saved(who.page);
      }
      await countWorkerAnswers(who.context);
      await who.page.goto(own);
      await writable(who.page).waitFor();
      expect(await who.page.evaluate(() => navigator.serviceWorker?.controller !== null)).toBe(
        workers === "allow",
      );
      await who.page.getByRole("button", { name: "History" }).click();
      await revisionSlider(who.page).waitFor();
      await expect.poll(() => workerAnswers(who.page, "timelines")).toBeGreaterThan(0);
      expect(await workerAnswers(who.page, "errors")).toBe(0);
      if (workers === "allow") {
        await who.context.setOffline(true);
        await who.page.goto(own);
        await expect.poll(() => text(who.page).innerText()).toContain("High water");
        const worker = who.page.waitForEvent("worker");
        await who.page.getByRole("button", { name: "History" }).click();
        await worker;
        expect(await workerAnswers(who.page, "errors")).toBe(0);
      }
      await who.context.close();
    },
  );
});
