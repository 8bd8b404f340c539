import { newestSchema } from "@/events/content/text-schema";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright";
import { beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { supabaseStore } from "@/events/log/store";
import { launchProfile } from "@/tests/support/product/browser";
import { granted } from "@/tests/support/writers/workspaces";
import { newDocument, person, saved, saveStatus, text, writable } from "../support/person";
import type { Person } from "../support/person";
import { onceMore } from "../support/request";
import { sharedBrowser } from "../support/browser/shared-browser";
import { sharedDocument } from "../support/shared-document";
import { stored } from "../support/stored-text";

const appends = "**/rest/v1/rpc/append_events*";

let browser: Browser;

beforeAll(async () => {
  browser = await sharedBrowser();
});

/** Records everything that a page's status says from now on; read by `said`. */
const listen = (page: Page) =>
  page.evaluate(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    const look = () => {
      for (const status of document.querySelectorAll("[role=status]"))
        if (status.textContent && said.at(-1) !== status.textContent) said.push(status.textContent);
    };
    look();
    new MutationObserver(look).observe(document, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  });
const said = (page: Page): Promise<string[]> => page.evaluate(() => Reflect.get(window, "said"));

describe("text written without a network", () => {
  const append = (who: Person, stream: string, type: string, body: object, subject?: object) =>
    supabaseStore(who.client)
      .append(stream, null, [{ id: randomUUID(), type, body: { ...body }, ...subject }])
      .then(granted);
  const meanwhile = {
    "the document was trashed": {
      does: (ana: Person, _ben: Person, path: string) =>
        append(ana, path.slice("/d/".length), "document.trashed", {}),
      tells: /This document is in the trash, so your last changes can’t be saved in it/,
    },
    "they may only read by now": {
      does: (ana: Person, ben: Person) =>
        append(
          ana,
          ana.workspace,
          "member.role_changed",
          { role: "viewer" },
          { subject: { kind: "member", id: ben.user.id } },
        ),
      tells: /no longer edit it\. You can still copy the text you wrote/,
    },
  };
  it.each(Object.entries(meanwhile))(
    "[OFFLINE-31] is kept, offered and saved as a new document where %s",
    async (_what, { does, tells }) => {
      const { ana, ben, path } = await sharedDocument(browser, {
        title: "Timetable",
        begun: "Start ",
        ended: " end",
      });
      await ben.context.setOffline(true);
      await ben.page.keyboard.type(" and a tunnel.");
      await saveStatus(ben.page).filter({ hasText: "Offline" }).waitFor();
      await does(ana, ben, path);
      await listen(ben.page);
      await ben.context.setOffline(false);
      const banner = ben.page.getByRole("alert").filter({ hasText: tells });
      await banner.waitFor();
      expect((await said(ben.page)).filter((label) => /^Saved/.test(label))).toEqual([]);
      await banner.getByRole("button", { name: "Save as new document" }).click();
      const dialog = ben.page.getByRole("dialog", { name: "Save as new document" });
      await dialog.getByLabel("Document title").fill("From the tunnel");
      await dialog.getByRole("button", { name: "Save" }).click();
      await ben.page.waitForURL((url) => url.pathname.startsWith("/d/") && url.pathname !== path);
      await text(ben.page).getByText("and a tunnel.").waitFor();
      await saved(ben.page);
      await Promise.all([ana.context.close(), ben.context.close()]);
    },
  );
});

describe("a device", () => {
  it("[SYNC-43] without any storage saves typed text, and says that it has none", async () => {
    const ana = await person(browser, "Ana");
    const { page } = ana;
    const session = await ana.context.newCDPSession(page);
    const origin = inject("url");
    // Before anything is stored: Chromium caches the quota for half a minute.
    await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1 });
    await newDocument(ana, "No room");
    await saved(page);
    await writable(page).click();
    await page.keyboard.type("Written all the same. ");
    const noRoom = page.getByTitle(/no room for offline changes\. Everything you wrote is saved/);
    await noRoom.waitFor();
    await session.send("Storage.overrideQuotaForOrigin", { origin });
    await page.keyboard.type("And there is room again. ");
    await noRoom.waitFor({ state: "detached" });
    await saved(page);
    await ana.context.close();
  });

  it("[OFFLINE-2] with a killed browser keeps text typed a second earlier, and sends it", async () => {
    const ana = await person(browser, "Ana");
    const path = await newDocument(ana, "Killed");
    await saved(ana.page);
    const cookies = await ana.context.cookies();
    await ana.context.close();
    const folder = await mkdtemp(join(tmpdir(), "profile-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const first = await launchProfile(folder, inject("url"));
    await first.context.addCookies(cookies);
    const page = await first.context.newPage();
    await page.route(appends, (route) => route.abort());
    await page.goto(path);
    await writable(page).click();
    await page.keyboard.type("Only on the disk.");
    await expect.poll(() => saveStatus(page).innerText()).not.toContain("Saved");
    await stored(page);
    await first.kill();
    const next = await launchProfile(folder, inject("url"));
    await next.context.addCookies(cookies);
    const again = await next.context.newPage();
    await again.goto(path);
    await text(again).getByText("Only on the disk.").waitFor();
    await saved(again);
    await next.context.close();
  });
});

describe("a page of an older build", () => {
  it("[SYNC-62] [EDIT-5] keeps unsent text when a newer version writes, and sends it", async () => {
    const ana = await person(browser, "Ana");
    const { page } = ana;
    const path = await newDocument(ana, "Two versions");
    await writable(page).click();
    await page.keyboard.type("Begun. ");
    await saved(page);
    await page.route(appends, (route) => route.abort());
    await page.keyboard.type("Not sent yet.");
    await expect.poll(() => saveStatus(page).innerText()).not.toContain("Saved");
    await page.route(/rpc\/read_events/, async (route) => {
      const response = await route.fetch(onceMore);
      const rows: { type: string }[] = await response.json();
      await route.fulfill({
        response,
        json: rows.map((row) =>
          row.type === "document.edited" ? { ...row, schema: newestSchema + 1 } : row,
        ),
      });
    });
    const newer = await ana.context.newPage();
    await newer.goto(path);
    await writable(newer).click();
    await newer.keyboard.type("Newer ones. ");
    await page.getByText(/newer version of the app/).waitFor();
    await expect.poll(() => page.getByRole("main").innerText()).toContain("Not sent yet.");
    expect(await saveStatus(page).innerText()).not.toMatch(/^Saved/);
    await page.unroute(appends);
    await text(newer).getByText("Not sent yet.").waitFor();
    await saved(page);
    await page.unrouteAll({ behavior: "wait" });
    await ana.context.close();
  });
});
