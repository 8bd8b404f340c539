import { createServer } from "node:http";
import type { Browser, Page } from "playwright";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { supabaseStore } from "@/events/log/store";
import { launchBrowser } from "@/tests/support/product/browser";
import { sharedDocument } from "../support/shared-document";
import { newDocument, person, saved, saveStatus, text, writable } from "../support/person";
import type { Person } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";
import { stored } from "../support/stored-text";

const appends = "**/rest/v1/rpc/append_events*";

let browser: Browser;
let ana: Person;

beforeAll(async () => {
  browser = await sharedBrowser();
  ana = await person(browser, "Ana");
});

const rowsOf = (who: Person, path: string) =>
  supabaseStore(who.client).read(path.slice("/d/".length), 0);

/** The log's words, a line per block, read without opening a page. */
async function logged(who: Person, path: string): Promise<string> {
  const confirmed = new ConfirmedDocument(null);
  for (const row of await rowsOf(who, path)) confirmed.integrate(row);
  return confirmed.doc
    .getXmlFragment("default")
    .toString()
    .replace(/<[^>]+>/g, "");
}

/** The letters that a page shows, without spaces: another person's caret may add one. */
const lettersOf = async (page: Page) => (await text(page).innerText()).replace(/\s+/g, "");

/** A new tab with a new document in which something was saved. */
async function begun(title: string): Promise<{ page: Page; path: string }> {
  const page = await ana.context.newPage();
  const path = await newDocument({ ...ana, page }, title);
  await writable(page).click();
  await page.keyboard.type("Begun. ");
  await saved(page);
  return { page, path };
}

describe("a tab that ends", () => {
  it("[SYNC-83] has logged text typed 50 ms before it closes, without another page", async () => {
    const { page, path } = await begun("Closed at once");
    await page.keyboard.type("Last words.");
    await page.waitForTimeout(50);
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => logged(ana, path)).toBe("Begun. Last words.");
  });

  it("[SYNC-2] loses at most its last second in a crash, and the next tab sends the rest", async () => {
    const { page, path } = await begun("Crashed");
    await page.route(appends, (route) => route.abort());
    await page.keyboard.type("Before the crash. ");
    await stored(page);
    const crashed = page.waitForEvent("crash");
    const session = await ana.context.newCDPSession(page);
    void session.send("Page.crash").catch(() => undefined);
    await crashed;
    await page.close();
    const next = await ana.context.newPage();
    await next.goto(path);
    await text(next).getByText("Begun. Before the crash.").waitFor();
    await saved(next);
    expect(await logged(ana, path)).toContain("Begun. Before the crash.");
    await next.close();
  });

  it("[SYNC-84] is rebuilt with all its text when the person comes back, and is live", async () => {
    // Like people's browsers, this one has the back/forward cache.
    const keeping = await launchBrowser({ keepsPages: true });
    onTestFinished(() => keeping.close());
    const elsewhere = createServer((_, answer) => void answer.end("<p>Another site</p>"));
    await new Promise<void>((go) => elsewhere.listen(0, "127.0.0.1", go));
    onTestFinished(() => void elsewhere.close());
    const address = elsewhere.address();
    const carol = await person(keeping, "Carol");
    const { page } = carol;
    await page.addInitScript(() => {
      const firstSaved: string[] = [];
      Object.assign(window, { firstSaved });
      addEventListener("pageshow", ({ persisted }) => Object.assign(window, { persisted }));
      new MutationObserver(() => {
        const status = [...document.querySelectorAll("[role=status]")].map(
          (one) => one.textContent,
        );
        if (firstSaved.length === 0 && status.includes("Saved"))
          firstSaved.push(document.querySelector("main")?.innerText ?? "");
      }).observe(document, { childList: true, subtree: true, characterData: true });
    });
    const path = await newDocument(carol, "Left and back");
    await writable(page).click();
    await page.keyboard.type("Begun. ");
    await saved(page);
    const reasons: string[] = [];
    const session = await carol.context.newCDPSession(page);
    await session.send("Page.enable");
    session.on("Page.backForwardCacheNotUsed", ({ notRestoredExplanations }) =>
      reasons.push(...notRestoredExplanations.map(({ reason }) => reason)),
    );
    await page.keyboard.type("Right before. ");
    await page.goto(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`);
    await expect.poll(() => logged(carol, path)).toContain("Right before.");
    const other = await carol.context.newPage();
    await other.goto(path);
    await writable(other).click();
    await other.keyboard.press("Control+End");
    await other.keyboard.type("Meanwhile. ");
    await saved(other);
    await page.goBack();
    await text(page).getByText("Meanwhile.").waitFor();
    // A page of a person who has signed out is in no cache.
    await expect.poll(() => reasons).toContain("MainResourceHasCacheControlNoStore");
    expect(await page.evaluate(() => Reflect.get(window, "persisted"))).toBe(false);
    await saved(page);
    const [shown] = await page.evaluate((): string[] => Reflect.get(window, "firstSaved"));
    expect(shown).toContain("Right before. Meanwhile.");
    await writable(page).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("And on.");
    await text(other).getByText("And on.").waitFor();
    await saved(page);
    expect(await logged(carol, path)).toBe("Begun. Right before. Meanwhile. And on.");
  });
});

it("[SYNC-85] has a duplicate with a client id of its own, and both are saved", async () => {
  const { page, path } = await begun("Twice");
  await page.evaluate(() => sessionStorage.setItem("copied", "yes"));
  const [twin] = await Promise.all([
    page.waitForEvent("popup"),
    // Like "Duplicate tab", it starts with a copy of this tab's session storage.
    page.evaluate((path) => void window.open(path), path),
  ]);
  await writable(twin).waitFor();
  expect(await twin.evaluate(() => sessionStorage.getItem("copied"))).toBe("yes");
  await writable(twin).click();
  await twin.keyboard.press("Control+Home");
  await Promise.all([
    page.keyboard.type("One tab writes here."),
    twin.keyboard.type("The other one here. "),
  ]);
  await Promise.all([saved(page), saved(twin)]);
  expect(await logged(ana, path)).toBe("The other one here. Begun. One tab writes here.");
  const rows = await rowsOf(ana, path);
  expect(new Set(rows.flatMap(({ clientIds }) => clientIds)).size).toBe(2);
  await Promise.all([page.close(), twin.close()]);
});

describe("two people in one paragraph", () => {
  it("[WRITE-40] keep a composition through the other's typing, with every glyph once", async () => {
    const { ana, ben, path } = await sharedDocument(browser, {
      title: "Composed",
      begun: "Start ",
      ended: " end",
    });
    await ana.page.evaluate(() => {
      const ends: string[] = [];
      Object.assign(window, { compositionEnds: ends });
      addEventListener("compositionend", ({ data }) => ends.push(data), true);
    });
    await writable(ana.page).click();
    await ana.page.keyboard.press("Control+Home");
    for (let at = 0; at < 6; at += 1) await ana.page.keyboard.press("ArrowRight");
    const session = await ana.context.newCDPSession(ana.page);
    const compose = (words: string) =>
      session.send("Input.imeSetComposition", {
        text: words,
        selectionStart: words.length,
        selectionEnd: words.length,
      });
    const steps = ["に", "にほ", "にほん", "にほんご", "日本ご", "日本語"];
    const typing = ben.page.keyboard.type(" typed by Ben all along", { delay: 30 });
    for (const step of steps) {
      await compose(step);
      await ana.page.waitForTimeout(100);
    }
    await session.send("Input.insertText", { text: "日本語" });
    await typing;
    const whole = "Start 日本語 end typed by Ben all along";
    for (const { page } of [ana, ben])
      await expect.poll(() => lettersOf(page)).toBe(whole.replaceAll(" ", ""));
    await Promise.all([saved(ana.page), saved(ben.page)]);
    expect(await logged(ana, path)).toBe(whole);
    expect(await text(ana.page).locator("p").count()).toBe(1);
    expect(await ana.page.evaluate(() => Reflect.get(window, "compositionEnds"))).toEqual([
      "日本語",
    ]);
  });

  it("[SYNC-6] an hour apart, with letters on both sides, end with all of them", async () => {
    const parts = process.env.SOAK ? 20 : 2;
    const { ana, ben, path } = await sharedDocument(browser, {
      title: "An hour apart",
      begun: "Start ",
      ended: " end",
    });
    const { page } = ana;
    await page.clock.install();
    await page.reload();
    await saved(page);
    await ana.context.setOffline(true);
    await writable(page).click();
    await page.keyboard.press("Control+Home");
    for (let part = 0; part < parts; part += 1) {
      await page.keyboard.type("ana".padEnd(100, "a"));
      await ben.page.keyboard.type("ben".padEnd(100, "b"));
      await page.clock.fastForward(3_600_000 / parts);
    }
    await saveStatus(page).filter({ hasText: "Offline" }).waitFor();
    await saved(ben.page);
    await ana.context.setOffline(false);
    await expect
      .poll(
        async () => {
          await page.clock.fastForward(1_000);
          return saveStatus(page).innerText();
        },
        // The page's clock runs in real time: with a faster one, the server would always answer too
        // late.
        { interval: 1_000, timeout: 240_000 },
      )
      .toBe("Saved");
    const whole = `${"ana".padEnd(100, "a").repeat(parts)}Start  end${"ben".padEnd(100, "b").repeat(parts)}`;
    for (const shown of [page, ben.page])
      await expect.poll(() => lettersOf(shown)).toBe(whole.replaceAll(" ", ""));
    expect(await logged(ana, path)).toBe(whole);
  }, 900_000);
});
