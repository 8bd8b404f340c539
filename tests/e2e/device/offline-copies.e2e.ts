import type { Browser } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { cached, everything } from "../support/bundles/cached";
import { newDocument, person, saved, text, writable } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";
import { countWorkerAnswers, workerAnswers } from "../support/browser/worker-answers";

let browser: Browser;

beforeAll(async () => {
  browser = await sharedBrowser();
});

describe("a lost connection", () => {
  it("[OFFLINE-26] a worker makes the stored copy of an open document", async () => {
    const dora = await person(browser, "Dora", "allow");
    const own = await newDocument(dora, "For the ferry");
    await countWorkerAnswers(dora.context);
    await dora.page.goto(own);
    await text(dora.page).click();
    await dora.page.keyboard.type("Before the tunnel. ");
    await saved(dora.page);
    await expect.poll(() => cached(dora.page, own)).toEqual(everything);
    // Only one person writes: own rows are not read back, and still count.
    await dora.page.keyboard.type("Long after the first copy. ");
    await saved(dora.page);
    await expect
      .poll(() => cached(dora.page, own))
      .toEqual({ page: true, words: [expect.stringContaining("Long after the first copy.")] });
    expect(await workerAnswers(dora.page, "states")).toBeGreaterThan(0);
    expect(await workerAnswers(dora.page, "errors")).toBe(0);
    // A page that closes makes the copy itself, and is gone by the time the device has it.
    await dora.page.keyboard.type("Just before the end. ");
    await saved(dora.page);
    await dora.context.setOffline(true);
    await dora.page.reload();
    // The new page has no network, so these words are from the page that closed.
    await expect
      .poll(() => cached(dora.page, own))
      .toEqual({ page: true, words: [expect.stringContaining("Just before the end.")] });
    await dora.context.close();
  });

  it(
    "[OFFLINE-5] keeps the text when the history's code cannot be fetched, and opens it when " +
      "it can",
    async () => {
      const ana = await person(browser, "Ana");
      const { page } = ana;
      await newDocument(ana, "Tide table");
      await writable(page).click();
      // The code that saves a text loads after it; a page without it cannot update the copy.
      await page.keyboard.type("Written with it. ");
      await saved(page);
      // Let through later rather than unrouted: a request in flight would then get no answer.
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
      await expect.poll(() => text(page).innerText()).toContain("Written without the rest.");
      await page.unrouteAll({ behavior: "wait" });
    },
  );
});
