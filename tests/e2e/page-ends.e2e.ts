import { createServer } from "node:http";
import type { Browser, Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { supabaseStore } from "@/events/log/store";
import { sharedDocument } from "./support/shared-document";
import {
  newDocument,
  type Person,
  person,
  saved,
  saveStatus,
  text,
  writable,
} from "./support/person";
import { bringIn } from "@/tests/support/writers";
import { launchBrowser } from "@/tests/support/browser";
import { sharedBrowser } from "./support/shared-browser";

const appends = "**/rest/v1/rpc/append_events*";

let browser: Browser;
let ana: Person;

beforeAll(async () => {
  browser = await sharedBrowser();
  ana = await person(browser, "Ana");
});

const rowsOf = (who: Person, path: string) =>
  supabaseStore(who.client).read(path.slice("/d/".length), 0);

/** The words that the log holds, with a line for each block; nobody opens a page for it. */
async function logged(who: Person, path: string): Promise<string> {
  const confirmed = new ConfirmedDocument(null);
  for (const row of await rowsOf(who, path)) confirmed.integrate(row);
  return confirmed.doc
    .getXmlFragment("default")
    .toString()
    .replace(/<[^>]+>/g, "");
}

/** The letters that a page shows without spaces, for where another's caret stands there may be one more. */
const lettersOf = async (page: Page) => (await text(page).innerText()).replace(/\s+/g, "");

/** A tab of its own, in a new document in which it has saved something. */
async function begun(title: string): Promise<{ page: Page; path: string }> {
  const page = await ana.context.newPage();
  const path = await newDocument({ ...ana, page }, title);
  await writable(page).click();
  await page.keyboard.type("Begun. ");
  await saved(page);
  return { page, path };
}

describe("a tab that ends", () => {
  it("[SYNC-83] has in the log what was typed 50 ms before it was closed, without another page", async () => {
    const { page, path } = await begun("Closed at once");
    await page.keyboard.type("Last words.");
    await page.waitForTimeout(50);
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => logged(ana, path)).toBe("Begun. Last words.");
  });

  it("[SYNC-2] loses at most its last second when it crashes, and the next one sends the rest", async () => {
    const { page, path } = await begun("Crashed");
    await page.route(appends, (route) => route.abort());
    await page.keyboard.type("Before the crash. ");
    await page.waitForTimeout(1_000);
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

  it("[SYNC-84] goes on where the browser brings it back, live and with all that was written", async () => {
    // Playwright's own arguments forbid the browser to keep pages.
    const keeping = await launchBrowser({ ignoreDefaultArgs: ["--disable-back-forward-cache"] });
    const elsewhere = createServer((_, answer) => void answer.end("<p>Another site</p>"));
    await new Promise<void>((go) => elsewhere.listen(0, "127.0.0.1", go));
    const address = elsewhere.address();
    const port = typeof address === "object" ? address?.port : 0;
    try {
      const dora = await person(keeping, "Dora");
      const { page } = dora;
      // Pages of the app are not stored, and no browser keeps such a page as it stands; an app
      // behind a proxy that drops the header may be kept all the same.
      await page.route("**/d/*", async (route) => {
        const response = await route.fetch();
        const headers = { ...response.headers(), "cache-control": "no-cache" };
        await route.fulfill({ response, headers });
      });
      const path = await newDocument(dora, "Left and back");
      await writable(page).click();
      await page.keyboard.type("Begun. ");
      await saved(page);
      await page.evaluate(() => {
        addEventListener("pageshow", ({ persisted }) => Reflect.set(window, "kept", persisted));
      });
      await page.keyboard.type("Right before. ");
      // What is sent in the last turn would otherwise wait for a page that is gone.
      await page.unroute("**/d/*");
      await page.goto(`http://127.0.0.1:${port}/`);
      await expect.poll(() => logged(dora, path)).toContain("Right before.");
      // In a browser of her own: what tabs of one browser tell each other ends a page that is kept.
      await bringIn(dora, ana, dora.workspace, "editor");
      const other = await ana.context.newPage();
      await other.goto(path);
      await writable(other).click();
      await other.keyboard.press("Control+End");
      await other.keyboard.type("Meanwhile. ");
      await saved(other);
      await page.goBack();
      expect(await page.evaluate(() => Reflect.get(window, "kept"))).toBe(true);
      await text(page).getByText("Meanwhile.").waitFor();
      await writable(page).click();
      await page.keyboard.press("Control+End");
      await page.keyboard.type("And on.");
      await text(other).getByText("And on.").waitFor();
      await saved(page);
      expect(await logged(dora, path)).toBe("Begun. Right before. Meanwhile. And on.");
      await other.close();
    } finally {
      elsewhere.close();
      await keeping.close();
    }
  });
});

it("[SYNC-85] a duplicated tab writes under a client id of its own, and both are saved", async () => {
  const { page, path } = await begun("Twice");
  await page.evaluate(() => sessionStorage.setItem("copied", "yes"));
  const [twin] = await Promise.all([
    page.waitForEvent("popup"),
    // As "Duplicate tab" does, it begins with a copy of this tab's session storage.
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
  it("[WRITE-40] a composition goes on while another one types in it, with every glyph once", async () => {
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

  it.runIf(process.env.SOAK)(
    "[SYNC-6] an hour apart, with 2 000 letters on both sides, comes together with all of them",
    async () => {
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
      for (let part = 0; part < 20; part += 1) {
        await page.keyboard.type("ana".padEnd(100, "a"));
        await ben.page.keyboard.type("ben".padEnd(100, "b"));
        await page.clock.fastForward(180_000);
      }
      await saveStatus(page).filter({ hasText: "Offline" }).waitFor();
      await saved(ben.page);
      await ana.context.setOffline(false);
      await expect
        .poll(async () => {
          await page.clock.fastForward(1_000);
          return saveStatus(page).innerText();
        })
        .toBe("Saved");
      const whole = `${"ana".padEnd(100, "a").repeat(20)}Start  end${"ben".padEnd(100, "b").repeat(20)}`;
      for (const shown of [page, ben.page])
        await expect.poll(() => lettersOf(shown)).toBe(whole.replaceAll(" ", ""));
      expect(await logged(ana, path)).toBe(whole);
    },
    900_000,
  );
});
