import type { Browser, Page } from "playwright";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { bringIn } from "@/tests/support/writers/writers";
import {
  newDocument,
  person,
  saved,
  saveStatus,
  shownId,
  text,
  titleBox,
  writable,
} from "../support/person";
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

// Routes left by one test would fail the next.
afterEach(() => ana.context.unrouteAll({ behavior: "ignoreErrors" }));
/** Collects every label of the page's status, from before its first script; read by `labels`. */
async function watchLabels(page: Page) {
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { seenLabels: seen });
    new MutationObserver(() => {
      for (const status of document.querySelectorAll("[role=status]")) {
        const label = status.textContent;
        if (label && seen.at(-1) !== label) seen.push(label);
      }
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
}
const labels = (page: Page) => page.evaluate(() => Reflect.get(window, "seenLabels") as string[]);

/** The next failed append of a page. */
const failure = (page: Page) =>
  page.waitForEvent("requestfailed", (request) => request.url().includes("append_events"));

/** A new document of Ana's: the log has `begun`, and a closed tab left `rest`. */
async function leftovers(begun: string, rest: string) {
  const page = await ana.context.newPage();
  const path = await newDocument({ ...ana, page }, "Left behind");
  await writable(page).click();
  await page.keyboard.type(begun);
  await saved(page);
  await ana.context.route(appends, (route) => route.abort());
  // A page that closes during its first append drops it, and no route delays that.
  const failed = failure(page);
  await page.keyboard.type(rest);
  await failed;
  await saveStatus(page)
    .filter({ hasNotText: /\bSaved\b/ })
    .waitFor();
  // Typed text is on the device before the page is closed.
  await stored(page);
  expect(await waiting(page)).toBeGreaterThan(0);
  // A retry in flight would be dropped as well; after a failed one, the next comes only later.
  await failure(page);
  await page.close();
  return path;
}

const waiting = (page: Page) =>
  page.evaluate(async () => {
    const opening = indexedDB.open("palimpsest-outbox");
    await new Promise((settle) => (opening.onsuccess = settle));
    const keys = opening.result.transaction("records").objectStore("records").getAllKeys();
    await new Promise((settle) => (keys.onsuccess = settle));
    opening.result.close();
    return keys.result.length;
  });

describe("text that only this device holds", () => {
  it("[SYNC-41] appears on a page opened while the flush sends it, and never counts as saved", async () => {
    const path = await leftovers("In the log. ", "Not in the log. ");
    const page = await ana.context.newPage();
    // The flush has the records when it sends them to the log.
    const asked = page.waitForRequest(
      (request) =>
        request.url().includes("append_events") &&
        (request.postData() ?? "").includes(path.slice("/d/".length)),
    );
    await page.goto("/");
    await asked;
    const reader = await ana.context.newPage();
    await watchLabels(reader);
    await reader.goto(path);
    await text(reader).getByText("Not in the log.").waitFor();
    expect(await labels(reader)).not.toContain("Saved");
    await saveStatus(reader)
      .filter({ hasText: /Saving…|Not saved|Offline/ })
      .waitFor();
    await ana.context.unroute(appends);
    await saved(reader);
    await reader.reload();
    await text(reader).getByText("In the log. Not in the log.").waitFor();
    await Promise.all([page.close(), reader.close()]);
  });

  it(
    '[SYNC-40] in another tab keeps this one from saying "Saved", and moves here when that ' +
      "tab closes",
    async () => {
      const page = await ana.context.newPage();
      const path = await newDocument({ ...ana, page }, "Two tabs");
      const other = await ana.context.newPage();
      await other.clock.install();
      await other.goto(path);
      await saved(other);
      await page.route(appends, (route) => route.abort());
      await writable(page).click();
      await page.keyboard.type("Only in one tab. ");
      await saveStatus(other).filter({ hasText: "Saving…" }).waitFor();
      // The same edit has to wait in that tab for a while.
      await expect
        .poll(
          async () => {
            await other.clock.fastForward(1_000);
            return saveStatus(other).filter({ hasText: "Not saved" }).isVisible();
          },
          // With a faster clock, the server would always answer too late.
          { interval: 1_000, timeout: 120_000 },
        )
        .toBe(true);
      await other.getByRole("alert").getByText("in another tab of this browser").waitFor();
      await page.close();
      await saved(other);
      await text(other).getByText("Only in one tab.").waitFor();
      await other.close();
    },
  );

  it("[SYNC-42] is sent despite broken records, which the page counts and offers as text", async () => {
    const path = await leftovers("Sound. ", "Sound as well. ");
    const page = await ana.context.newPage();
    await page.goto("/account");
    await page.evaluate(async () => {
      const opening = indexedDB.open("palimpsest-outbox");
      await new Promise((settle) => (opening.onsuccess = settle));
      const transaction = opening.result.transaction("records", "readwrite");
      const records = transaction.objectStore("records");
      const keys = records.getAllKeys();
      await new Promise((settle) => (keys.onsuccess = settle));
      const [scope, tab] = keys.result[0] as string[];
      records.put(null, [scope!, tab!, "0"]);
      records.put(
        { kind: "edit", update: new TextEncoder().encode("\u0001torn words\u0002"), time: 1 },
        [scope!, tab!, "1"],
      );
      await new Promise((settle) => (transaction.oncomplete = settle));
      opening.result.close();
    });
    await ana.context.unroute(appends);
    await page.goto(path);
    await page
      .getByRole("alert")
      .getByText(/2 changes kept on this device are damaged and can't be sent\. The rest is saved/)
      .waitFor();
    await text(page).getByText("Sound. Sound as well.").waitFor();
    await ana.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy my changes" }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe("torn words");
    await saved(page);
    await page.reload();
    await text(page).getByText("Sound. Sound as well.").waitFor();
    await saved(page);
    await page.close();
  });

  it(
    "[OFFLINE-11] can be read and saved as a new document after its author was removed; " +
      "[OFFLINE-12] no other person sees it",
    async () => {
      const ben = await person(browser, "Ben");
      const { workspace } = ana;
      const path = await newDocument(ana, "Shared");
      await bringIn(ana, ben, workspace, "editor");
      await ben.page.goto(path);
      await writable(ben.page).click();
      await ben.page.keyboard.type("Saved while he could. ");
      await saved(ben.page);
      await ben.context.route(appends, (route) => route.abort());
      const failed = failure(ben.page);
      await ben.page.keyboard.type("Mine, unsent. ");
      await failed;
      await stored(ben.page);
      expect(await waiting(ben.page)).toBeGreaterThan(0);
      await failure(ben.page);
      await ben.page.close();
      const page = await ana.context.newPage();
      await page.goto(`/w/${workspace}/members`);
      await page.getByRole("button", { name: /Ben/ }).last().click();
      await page.getByRole("menuitem", { name: /Remove/ }).click();
      // The page shows it at once, and must stay open until it is recorded.
      const recorded = page.waitForResponse(
        (answer) =>
          answer.url().includes("append_events") &&
          (answer.request().postData() ?? "").includes("member.removed"),
      );
      await page
        .getByRole("dialog")
        .getByRole("button", { name: /Remove/ })
        .click();
      expect((await recorded).ok()).toBe(true);
      await page.close();
      await ben.context.unroute(appends);

      const again = await ben.context.newPage();
      await again.goto(path);
      await again.getByRole("heading", { name: "Document not found" }).waitFor();
      const panel = again.getByRole("region", { name: "Unsaved text" });
      await expect
        .poll(() => panel.getByRole("textbox", { name: "Your unsaved text" }).innerText())
        .toContain("Mine, unsent.");
      const saveButton = panel.getByRole("button", { name: "Save as new document" });
      await saveButton.click();
      const dialog = again.getByRole("dialog", { name: "Save as new document" });
      await dialog.getByLabel("Document title").waitFor();
      await again.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await expect
        .poll(() => saveButton.evaluate((button) => button === document.activeElement))
        .toBe(true);
      await saveButton.click();
      await dialog.getByLabel("Document title").fill("What I had");
      await dialog.getByRole("button", { name: "Save" }).click();
      await again.waitForURL((url) => url.pathname.startsWith("/d/") && url.pathname !== path);
      await text(again).getByText("Mine, unsent.").waitFor();
      await expect.poll(() => titleBox(again).innerText()).toBe("What I had");
      await again.goto(path);
      await again.getByRole("heading", { name: "Document not found" }).waitFor();
      await expect.poll(() => again.getByRole("region", { name: "Unsaved text" }).count()).toBe(0);
      await ben.context.close();
    },
  );

  it("[SYNC-44] becomes a new document when its own is full, and later typing there is saved", async () => {
    const { page } = ana;
    const path = await newDocument(ana, "Full");
    await writable(page).click();
    await page.keyboard.type("As long as it fitted. ");
    await saved(page);
    const refusal = {
      code: "P0001",
      message: "too-large",
      details: "limit document_bytes: 16777216",
      hint: "document_bytes",
    };
    const full = shownId(page);
    await page.route(appends, (route) =>
      route.request().postData()?.includes(full)
        ? route.fulfill({ status: 400, json: refusal })
        : route.continue(),
    );
    await page.keyboard.type("More than fits. ");
    const banner = page.getByRole("alert").filter({ hasText: "has reached its largest size" });
    await banner.getByRole("button", { name: "Retry" }).waitFor();
    await banner.getByRole("button", { name: "Save as new document" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/d/") && url.pathname !== path);
    await text(page).getByText("More than fits.").waitFor();
    await page.unrouteAll({ behavior: "wait" });
    await page.goto(path);
    await writable(page).click();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.type("And on.");
    await saved(page);
    expect((await text(page).innerText()).trim()).toBe("As long as it fitted. And on.");
  });

  it("[SYNC-44] can be discarded if it is only formatting, which no other document can keep", async () => {
    const { page } = ana;
    await newDocument(ana, "Full of marks");
    await writable(page).click();
    await page.keyboard.type("Plain as it was.");
    await saved(page);
    const refusal = {
      code: "P0001",
      message: "too-large",
      details: "limit document_bytes: 16777216",
      hint: "document_bytes",
    };
    const full = shownId(page);
    await page.route(appends, (route) =>
      route.request().postData()?.includes(full)
        ? route.fulfill({ status: 400, json: refusal })
        : route.continue(),
    );
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.press("ControlOrMeta+b");
    const banner = page.getByRole("alert").filter({ hasText: "has reached its largest size" });
    const discard = banner.getByRole("button", { name: "Discard my changes" });
    await discard.waitFor();
    expect(await banner.getByRole("button").allInnerTexts()).toEqual([
      "Retry",
      "Discard my changes",
    ]);
    await page.unrouteAll({ behavior: "wait" });
    await Promise.all([page.waitForEvent("load"), discard.click()]);
    await writable(page).waitFor();
    await saved(page);
    expect(await text(page).locator("strong").count()).toBe(0);
    await writable(page).click();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.type(" And on.");
    await saved(page);
    expect((await text(page).innerText()).trim()).toBe("Plain as it was. And on.");
  });

  it("[OFFLINE-12] is hidden from another person who signs in on the device", async () => {
    const path = await leftovers("Hers. ", "Hers, unsent. ");
    await ana.context.unroute(appends);
    // Like the device's next user: her session is gone, her unsent text is not.
    const cookies = await ana.context.cookies();
    await ana.context.clearCookies();
    await ana.context.route(appends, (route) => route.abort());
    const page = await ana.context.newPage();
    await page.goto("/sign-up");
    await page.getByLabel("Name").fill("Carol");
    await page.getByLabel("Email").fill(`carol.${Date.now().toString(36)}@example.com`);
    await page.getByLabel("Password").fill("a long enough passphrase");
    await ana.context.unroute(appends);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.waitForURL(/\/w\/[0-9a-f-]{36}$/);
    expect(await waiting(page)).toBeGreaterThan(0);
    await page.goto(path);
    await page.getByRole("heading", { name: "Document not found" }).waitFor();
    // Her panel would appear with the session, which the account menu also waits for.
    await page.waitForLoadState("networkidle");
    expect(await page.getByText("Hers, unsent.").count()).toBe(0);
    await page.close();
    await ana.context.clearCookies();
    await ana.context.addCookies(cookies);
    const back = await ana.context.newPage();
    await back.goto(path);
    await text(back).getByText("Hers. Hers, unsent.").waitFor();
    await saved(back);
    await back.close();
  });
});

describe("a browser without storage", () => {
  const breaks: [string, () => void][] = [
    [
      "never answers",
      () => Object.defineProperty(IDBFactory.prototype, "open", { value: () => ({}) }),
    ],
    [
      "throws at everything",
      () => {
        const no = () => {
          throw new DOMException("The operation is insecure.", "SecurityError");
        };
        for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"])
          Object.defineProperty(window, name, { get: no });
        Object.defineProperty(LockManager.prototype, "request", { value: no });
        Object.defineProperty(window, "BroadcastChannel", { value: no });
      },
    ],
    [
      "has no room",
      () => {
        const full = () => {
          throw new DOMException("full", "QuotaExceededError");
        };
        Storage.prototype.setItem = full;
        IDBObjectStore.prototype.put = full;
      },
    ],
  ];
  it.each(breaks)(
    "[SYNC-43] saves typed text where its storage %s, and explains that",
    async (how, break_) => {
      const page = await ana.context.newPage();
      await page.addInitScript(break_);
      await page.goto("/");
      await page.waitForURL(/\/w\//);
      const path = await newDocument({ ...ana, page }, `Kept nowhere: ${how}`);
      await writable(page).click();
      await page.keyboard.type("Written all the same. ");
      await page
        .getByTitle(
          how === "has no room"
            ? /no room for offline changes\. Everything you wrote is saved/
            : /keeps nothing on the device\. Everything you wrote is saved/,
        )
        .waitFor({ timeout: 60_000 });
      const other = await ana.context.newPage();
      await other.goto(path);
      await text(other).getByText("Written all the same.").waitFor();
      await other.close();

      await page.route(appends, (route) => route.abort());
      await page.keyboard.type("Only in this tab. ");
      let warned = "";
      page.on("dialog", (dialog) => {
        warned = dialog.type();
        void dialog.dismiss();
      });
      await page.close({ runBeforeUnload: true });
      await expect.poll(() => warned).toBe("beforeunload");
      expect(await text(page).innerText()).toContain("Only in this tab.");
      await page.unroute(appends);
      await page.getByTitle(/Everything you wrote is saved/).waitFor({ timeout: 60_000 });
      await page.close();
    },
  );
});
