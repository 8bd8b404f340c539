import { randomUUID } from "node:crypto";
import type { Browser, Page } from "playwright";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { writesOnFor } from "@/components/document/access/use-access-at-pause";
import { personOfToken } from "@/supabase/token-person";
import { supabaseStore } from "@/events/log/store";
import { pageAs, sessionCookies } from "@/tests/support/writers/pages";
import { granted } from "@/tests/support/writers/workspaces";
import { bringIn } from "@/tests/support/writers/writers";
import { barriers } from "../support/browser/axe";
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
import { isFocused } from "../support/tree";

let browser: Browser;
let ben: Person;

beforeAll(async () => {
  browser = await sharedBrowser();
  ben = await person(browser, "Ben");
});

/** Ana with a document of hers that Ben may edit. */
async function anaWith(title: string): Promise<{ ana: Person; path: string; id: string }> {
  const ana = await person(browser, "Ana");
  const path = await newDocument(ana, title);
  await bringIn(ana, ben, ana.workspace, "editor");
  await writable(ana.page).click();
  await ana.page.keyboard.type("Seen by both. ");
  await saved(ana.page);
  return { ana, path, id: shownId(ana.page) };
}

/** Replaces a browser's session by another person's, under every open page. */
async function signOver(from: Person, to: Person): Promise<void> {
  await from.context.clearCookies();
  const cookies = await sessionCookies(to);
  await from.context.addCookies(
    cookies.map((cookie) => ({ ...cookie, url: inject("url"), sameSite: "Lax" as const })),
  );
}

const authorsOf = async (who: Person, document: string) =>
  new Set((await supabaseStore(who.client).read(document, 0)).map(({ actorId }) => actorId));

/** Types words one after the other, and runs `meanwhile` after a third of them. */
async function typeOn(page: Page, words: readonly string[], meanwhile: () => Promise<unknown>) {
  let done: Promise<unknown> = Promise.resolve();
  for (const [index, word] of words.entries()) {
    if (index === Math.floor(words.length / 3)) done = meanwhile();
    await page.keyboard.type(`${word} `, { delay: 20 });
  }
  await done;
}

/** Records when a page receives keys. */
async function recordKeys(page: Page) {
  const keys = await page.evaluateHandle(() => {
    const keys: [key: string, at: number][] = [];
    addEventListener("keydown", ({ key }) => keys.push([key, performance.now()]), true);
    return keys;
  });
  return {
    /** The number of words before the first pause: a busy machine may make one in the middle. */
    async wordsBeforePause(): Promise<number> {
      const pressed = await keys.jsonValue();
      const pause = pressed.findIndex(
        ([, at], index) => writesOnFor(pressed[index - 1]?.[1] ?? at, at) < 100,
      );
      const before = pause < 0 ? pressed : pressed.slice(0, pause);
      return before.filter(([key]) => key === " ").length;
    },
  };
}

const wordsOf = (name: string, many: number) =>
  Array.from({ length: many }, (_, index) => `${name}${index}`);

describe("[ACC-50] one person's words under another's session", () => {
  it("are stored, sent in no way, and recorded as their author's later", async () => {
    const { ana, path, id } = await anaWith("Tides");
    const { page } = ana;
    const appends = "**/rest/v1/rpc/append_events*";
    await page.route(appends, (route) => route.abort());
    await page.keyboard.type("Typed by Ana. ");
    await stored(page);
    await signOver(ana, ben);
    const tokens: (string | null)[] = [];
    page.on("request", (request) => {
      const bearer = /^Bearer (.+)$/.exec(request.headers()["authorization"] ?? "")?.[1];
      if (bearer !== undefined) tokens.push(personOfToken(bearer));
    });
    await page.unroute(appends);

    const dialog = page.getByRole("dialog", { name: `You’re signed in as ${ben.email}` });
    await dialog.waitFor();
    await writable(page).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Still by Ana. ");
    await stored(page);
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide")));
    await saveStatus(page).filter({ hasText: "Not saved" }).waitFor();
    expect(tokens).not.toContain(ben.user.id);
    expect(await authorsOf(ben, id)).toEqual(new Set([ana.user.id]));

    await dialog.getByRole("button", { name: `Continue as ${ben.email}` }).click();
    await page.waitForURL((url) => url.pathname !== path);
    await page.goto(path);
    await writable(page).waitFor();
    await saved(page);
    // Her page may have sent them in its last turn, with her own token.
    expect(await authorsOf(ben, id)).toEqual(new Set([ana.user.id]));

    await signOver(ana, ana);
    await page.goto(path);
    await expect.poll(() => text(page).innerText()).toContain("Typed by Ana. Still by Ana.");
    await saved(page);
    expect(await authorsOf(ben, id)).toEqual(new Set([ana.user.id]));
    await ana.context.close();
  });

  it("a route refuses a request in another person's name", async () => {
    const { ana } = await anaWith("Locks");
    const ask = await pageAs(ben);
    const asked = (who: Person) =>
      ask(new URL("/account/data", inject("url")), {
        headers: { "x-palimpsest-person": who.user.id },
      });
    const refused = await asked(ana);
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ name: "other-account" });
    expect((await asked(ben)).status).toBe(200);
    await ana.context.close();
  });
});

describe("[WRITE-50] typing without a pause while a dialog or notice opens", () => {
  it("reaches the text: a session that ends, or becomes another person's", async () => {
    const { ana, path } = await anaWith("Ferries");
    const { page } = ana;
    const words = wordsOf("ended", 40);
    await typeOn(page, words, () => ana.context.clearCookies());
    const dialog = page.getByRole("dialog", { name: "Sign in to continue" });
    await dialog.waitFor();
    expect(await text(page).innerText()).toContain(words.join(" "));
    expect(await dialog.getByLabel("Password", { exact: true }).inputValue()).toBe("");
    // The rest of the page fades while a person types.
    expect(await barriers(page, "[role=dialog]")).toEqual([]);
    await page.keyboard.press("F6");
    await isFocused(dialog);
    await page.keyboard.press("F6");
    await isFocused(text(page));
    await page.keyboard.type("back");
    await expect.poll(() => text(page).innerText()).toMatch(/ended39 ?back/);
    await dialog.getByLabel("Password", { exact: true }).fill(ana.password);
    await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await saved(page);

    await writable(page).click();
    await page.keyboard.press("Control+End");
    const more = wordsOf("other", 40);
    await typeOn(page, more, () => signOver(ana, ben));
    await page.getByRole("button", { name: `Continue as ${ben.email}` }).waitFor();
    await page.keyboard.type("and a space ");
    expect(await text(page).innerText()).toContain(`${more.join(" ")} and a space`);
    expect(new URL(page.url()).pathname).toBe(path);
    await ana.context.close();
  });

  it("reaches the text: no connection, and others' changes to the document", async () => {
    const { ana, id } = await anaWith("Weather");
    const { page } = ana;
    const offline = wordsOf("offline", 30);
    await typeOn(page, offline, () => ana.context.setOffline(true));
    await page
      .getByText(/You’re offline|You're offline/)
      .first()
      .waitFor();
    const online = wordsOf("online", 30);
    await typeOn(page, online, () => ana.context.setOffline(false));
    const renamed = wordsOf("renamed", 30);
    await typeOn(page, renamed, async () =>
      granted(
        await supabaseStore(ben.client).append(id, null, [
          { id: randomUUID(), type: "document.renamed", body: { title: "Storms" } },
          { id: randomUUID(), type: "document.icon_set", body: { emoji: "🌊" } },
        ]),
      ),
    );
    await expect.poll(() => titleBox(page).innerText()).toBe("Storms");
    expect(await text(page).innerText()).toContain([...offline, ...online, ...renamed].join(" "));
    await saved(page);
    await ana.context.close();
  });
});

describe("[WRITE-51] a document moved to the trash while a person types", () => {
  it("accepts every word until they pause, and offers the unsaved ones", async () => {
    const { ana, id } = await anaWith("Buoys");
    const { page } = ana;
    const words = wordsOf("trashed", 40);
    const keys = await recordKeys(page);
    await typeOn(page, words, async () =>
      granted(
        await supabaseStore(ben.client).append(id, null, [
          { id: randomUUID(), type: "document.trashed", body: {} },
        ]),
      ),
    );
    const typed = words.slice(0, await keys.wordsBeforePause());
    expect(await text(page).innerText()).toContain(typed.join(" "));
    await page.getByText("This document is in the trash").first().waitFor();
    await page.getByRole("button", { name: "Save as new document" }).waitFor();
    await ana.context.close();
  });
});

describe("[OFFLINE-33] changes made without a server", () => {
  it("survive their closed tab: a title, an icon and a new document", async () => {
    const { ana, path } = await anaWith("Before");
    const { page } = ana;
    const titles = async () =>
      (await ana.client.from("documents").select("title").eq("workspace_id", ana.workspace)).data
        ?.map(({ title }) => title)
        .sort();
    // The code that records titles loads after the text.
    await expect.poll(titles).toEqual(["Before"]);
    await ana.context.setOffline(true);
    await titleBox(page).fill("After");
    await titleBox(page).press("Enter");
    await page.getByRole("button", { name: "New document" }).first().click();
    await page.keyboard.type("Made in a tunnel");
    await page.close();
    await ana.context.setOffline(false);

    const next = await ana.context.newPage();
    await next.goto(path);
    await expect.poll(() => titleBox(next).innerText()).toBe("After");
    const made = next.getByRole("treeitem").filter({ hasText: "Made in a tunnel" });
    await made.first().waitFor();
    await expect.poll(titles).toEqual(["After", "Made in a tunnel"]);
    await ana.context.close();
  });
});

describe("[OFFLINE-32] a document deleted permanently under an open page", () => {
  it("offers its reader's unsaved words at once", async () => {
    const { ana, id } = await anaWith("Gone");
    const { page } = ana;
    await page.route("**/rest/v1/rpc/append_events*", (route) => route.abort());
    await page.keyboard.type("Only here. ");
    const store = supabaseStore(ana.client);
    for (const type of ["document.trashed", "document.purged"])
      granted(await store.append(id, null, [{ id: randomUUID(), type, body: {} }]));
    await page.getByRole("heading", { name: "This document was deleted permanently" }).waitFor();
    const words = page.getByRole("textbox", { name: "Your unsaved text" });
    await expect.poll(() => words.innerText()).toContain("Only here.");
    await page.getByRole("button", { name: "Save as new document" }).waitFor();
    await ana.context.close();
  });
});

describe("[ACC-52] signing out with unsent changes", () => {
  it("names them, stops at Escape, and proceeds by keyboard once they are sent", async () => {
    const { ana, path } = await anaWith("Leaving");
    const { page } = ana;
    const appends = "**/rest/v1/rpc/append_events*";
    await page.route(appends, (route) => route.abort());
    await page.keyboard.type("Not sent. ");
    await stored(page);
    const dialog = page.getByRole("dialog", { name: "Sign out with unsent changes?" });
    const ask = async () => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Go to or do" }).fill("Sign out");
      await page.getByRole("option", { name: "Sign out", exact: true, selected: true }).waitFor();
      await page.keyboard.press("Enter");
      await dialog.getByText("1 document with text is not sent yet.").waitFor();
    };
    await ask();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe(path);

    await ask();
    expect(await barriers(page, "[role=dialog]")).toEqual([]);
    const wait = dialog.getByRole("button", { name: "Sign out when sent" });
    await wait.focus();
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Sending…" }).waitFor();
    await page.unroute(appends);
    await page.waitForURL((url) => url.pathname === "/sign-in");
    await ben.page.goto(path);
    await expect.poll(() => text(ben.page).innerText()).toContain("Not sent.");
    await ana.context.close();
  });
});
