import type { Browser, Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { supabaseStore } from "@/events/log/store";
import { saved, text, writable } from "../support/person";
import type { Person } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";
import { sharedDocument } from "../support/shared-document";

let browser: Browser;

beforeAll(async () => {
  browser = await sharedBrowser();
});

const day = 24 * 3_600_000;

/** The words that the log holds. */
async function logged(who: Person, path: string): Promise<string> {
  const confirmed = new ConfirmedDocument(null);
  for (const row of await supabaseStore(who.client).read(path.slice("/d/".length), 0))
    confirmed.integrate(row);
  return confirmed.doc
    .getXmlFragment("default")
    .toString()
    .replace(/<[^>]+>/g, "");
}

const lettersOf = async (page: Page) => (await text(page).innerText()).replace(/\s+/g, "");

describe("a device with a wrong clock", () => {
  it.each([
    ["a day ahead", day],
    ["a day behind", -day],
    ["a year ahead", 365 * day],
    ["a year behind", -365 * day],
  ])("[SYNC-6] [SYNC-63] writes, receives edits and stays signed in: %s", async (name, wrong) => {
    const { ana, ben, path } = await sharedDocument(browser, {
      title: name,
      begun: "Begun. ",
      ended: "Ended. ",
    });
    const { page } = ana;
    let refreshes = 0;
    page.on("request", (request) => {
      if (request.url().includes("/auth/v1/token")) refreshes += 1;
    });
    await page.clock.install({ time: Date.now() + wrong });
    await page.reload();
    await saved(page);
    await writable(page).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Ana writes. ");
    await saved(page);
    await text(ben.page).getByText("Ana writes.").waitFor();
    await writable(ben.page).click();
    await ben.page.keyboard.press("Control+End");
    await ben.page.keyboard.type("Ben writes.");
    await saved(ben.page);
    for (const shown of [page, ben.page])
      await expect.poll(() => lettersOf(shown)).toBe("Begun.Ended.Anawrites.Benwrites.");
    await page.reload();
    await saved(page);
    await expect.poll(() => lettersOf(page)).toBe("Begun.Ended.Anawrites.Benwrites.");
    expect(await logged(ana, path)).toBe("Begun. Ended. Ana writes. Ben writes.");
    // The history is in the order of the log, whatever the clocks said.
    const rows = await supabaseStore(ana.client).read(path.slice("/d/".length), 0);
    const recorded = rows.map(({ recordedAt }) => Date.parse(recordedAt));
    expect(recorded).toEqual(recorded.toSorted((a, b) => a - b));
    expect(Math.abs(Date.now() - (recorded.at(-1) ?? 0))).toBeLessThan(day / 2);
    expect(refreshes).toBeLessThan(10);
  });
});

describe("a tab that slept for ten minutes", () => {
  it("[SYNC-6] [SYNC-32] sends text typed before and after, and shows others' text from meanwhile", async () => {
    const { ana, ben, path } = await sharedDocument(browser, {
      title: "Asleep",
      begun: "Begun. ",
      ended: "Ended. ",
    });
    const { page } = ana;
    await page.clock.install();
    await page.reload();
    await saved(page);
    await writable(page).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Before. ");
    // The lid closes in the middle of a word: no code of the page runs, and its sockets end
    // unnoticed.
    await ana.context.setOffline(true);
    const session = await ana.context.newCDPSession(page);
    await session.send("Page.setWebLifecycleState", { state: "frozen" });
    await writable(ben.page).click();
    await ben.page.keyboard.press("Control+Home");
    await ben.page.keyboard.type("Ben. ");
    await saved(ben.page);
    await session.send("Page.setWebLifecycleState", { state: "active" });
    await page.clock.fastForward(600_000);
    await ana.context.setOffline(false);
    await page.keyboard.type("After.");
    const whole = "Ben. Begun. Ended. Before. After.";
    for (const shown of [page, ben.page])
      await expect
        .poll(() => lettersOf(shown), { timeout: 90_000 })
        .toBe(whole.replaceAll(" ", ""));
    await saved(page);
    expect(await logged(ana, path)).toBe(whole);
  });
});
