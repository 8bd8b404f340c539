import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser } from "@/tests/support/product/browser";
import { succeed } from "@/tests/support/product/command";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";

/** Collects the newest acknowledged version of each stream, as the page has received it. */
async function hearAppends(page: Page): Promise<Map<string, number>> {
  const newest = new Map<string, number>();
  // The browser keeps no response to a keep-alive request, so a route handler reads it.
  await page.route("**/rpc/append_events", async (route) => {
    const response = await route.fetch().catch(() => null);
    if (response === null) return route.abort();
    if (response.ok()) {
      const { stream }: { stream: string } = route.request().postDataJSON();
      const rulings: { version: number }[] = await response.json();
      const versions = rulings.map(({ version }) => version);
      newest.set(stream, Math.max(newest.get(stream) ?? 0, ...versions));
    }
    await route.fulfill({ response });
  });
  return newest;
}

/** Returns the newest version of a stream that the page's browser has recorded as seen. */
const rememberedIn = (page: Page, stream: string) =>
  page.evaluate(
    (key) =>
      new Promise<number>((settle, reject) => {
        const opening = indexedDB.open("palimpsest-heads");
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const found = opening.result.transaction("heads").objectStore("heads").get(key);
          found.onerror = () => reject(found.error);
          found.onsuccess = () => {
            opening.result.close();
            settle(found.result?.version ?? 0);
          };
        };
      }),
    stream,
  );

describe("an older backup that was restored", () => {
  let stack: Stack;
  let browser: Browser;
  let page: Page;
  let folder: string;

  beforeAll(async () => {
    stack = await startStack({ env: { DEMO: "0" } });
    browser = await launchBrowser();
    folder = await mkdtemp(join(tmpdir(), "palimpsest-backup-"));
    const context = await browser.newContext({ baseURL: stack.url, reducedMotion: "reduce" });
    // A page opened during the server's start takes as long as the start.
    context.setDefaultTimeout(90_000);
    page = await context.newPage();
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const text = (of = page) => of.locator('[contenteditable="true"][aria-label="Document text"]');
  const saved = (of = page) =>
    of
      .getByRole("status")
      .filter({ hasText: /\bSaved\b/ })
      .first()
      .waitFor();
  const write = async (words: string, of = page) => {
    await text(of).click();
    await of.keyboard.press("Control+End");
    await of.keyboard.type(words);
    await saved(of);
  };
  /** Opens the verification from the warning, and returns its text. */
  const verified = async () => {
    await page.getByRole("alert").getByRole("button", { name: "Verify…" }).click();
    const dialog = page.getByRole("dialog", { name: "Verify history" });
    await dialog.getByRole("alert").waitFor();
    const alertText = await dialog.getByRole("alert").innerText();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    return alertText;
  };

  it(
    "[BACKUP-12] [HEADS-3] [HEADS-5] [SYNC-19] [VERIFY-4] [VERIFY-5] is noticed and explained " +
      "on every page that has seen more, and again after a different history",
    async () => {
      const appended = await hearAppends(page);
      await page.goto("/sign-up");
      await page.getByLabel("Name").fill("Ana");
      await page.getByLabel("Email").fill("ana@backups.example");
      await page.getByLabel("Password").fill("a long enough passphrase");
      await page.getByRole("button", { name: "Create account" }).click();
      await page.getByRole("button", { name: "New document" }).first().click();
      await text().waitFor();
      await write("Before the backup.");
      const address = new URL(page.url()).pathname;
      const document = address.replace("/d/", "");
      const appendedBefore = appended.get(document) ?? 0;
      const left = await page.context().newPage();
      const leftAppended = await hearAppends(left);
      await left.goto(address);
      await left.getByRole("button", { name: "New document" }).first().click();
      await left.waitForURL((url) => url.pathname.startsWith("/d/") && url.pathname !== address);
      await text(left).waitFor();
      await write("On an open page, before.", left);
      const leftDocument = new URL(left.url()).pathname.replace("/d/", "");
      const leftAppendedBefore = leftAppended.get(leftDocument) ?? 0;
      const backup = join(folder, "older.backup");
      await succeed("backup", backup, stack.dataDir);

      await write(" After it.");
      await page.keyboard.type(" And more.");
      await saved();
      // Seen versions are recorded a second later, and the last letters may come in one more event.
      await expect
        .poll(async () => (await rememberedIn(page, document)) === appended.get(document))
        .toBe(true);
      expect(appended.get(document)).toBeGreaterThan(appendedBefore);
      await page.reload();
      await text().getByText("After it. And more.").waitFor();
      await write(" And after.", left);
      await expect
        .poll(
          async () => (await rememberedIn(left, leftDocument)) === leftAppended.get(leftDocument),
        )
        .toBe(true);
      expect(leftAppended.get(leftDocument)).toBeGreaterThan(leftAppendedBefore);
      await page.goto("about:blank");
      await stack.stop();
      await rm(stack.dataDir, { recursive: true, force: true });
      await succeed("restore", backup, stack.dataDir);
      await stack.restart();

      // The page that stayed open shows the present log, and restores its own text.
      const warning = left.getByRole("alert").filter({
        hasText: "An older backup was put back on the server while you had this document open",
      });
      await warning.waitFor();
      expect(await warning.innerText()).toContain(
        "What you wrote in this tab is kept and sent again. The rest of what you see is what the server has.",
      );
      await expect.poll(() => text(left).innerText()).toBe("On an open page, before. And after.");
      await write(" And since.", left);
      await left.reload();
      await text(left).getByText("On an open page, before. And after. And since.").waitFor();
      await left.close();

      await page.goto(address);
      const alarm = page
        .getByRole("alert")
        .filter({ hasText: "an older backup seems to have been put back" });
      await alarm.waitFor();
      expect(await verified()).toMatch(
        /The history ends before event \d+, which this browser has seen\.[^]*an older backup was put back/,
      );
      // Further edits create a different history.
      await write(" Another thing.");
      await page.reload();
      await page.getByRole("alert").filter({ hasText: "When you were here" }).waitFor();
      expect(await verified()).toMatch(
        /(From event \d+ on, this is not the history that this browser has seen|The history ends before event \d+)/,
      );
      await page.getByRole("button", { name: "Accept it as it is" }).click();
      await page.getByRole("button", { name: "Accept it as it is" }).waitFor({ state: "detached" });
      await page.reload();
      await text().getByText("Another thing.").waitFor();
      await page.getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole("menuitem", { name: "Verify history…" }).click();
      await page.getByRole("dialog").getByText("This history is as it was recorded.").waitFor();
    },
  );
});
