import { randomUUID } from "node:crypto";
import type { Browser, BrowserContext, Locator, Page } from "playwright";
import { inject } from "vitest";
import { tokenClaims } from "@/events/auth/token";
import { supabaseStore } from "@/events/log/store";
import { firstWorkspaceId, openAccount } from "@/machines/session/first-workspace";
import { sessionCookies } from "@/tests/support/writers/pages";
import { signUp } from "@/tests/support/writers/people";
import type { Person as Account } from "@/tests/support/writers/people";
import { granted } from "@/tests/support/writers/workspaces";

/** A person with an account, its first workspace and a browser window. */
export type Person = Account & { workspace: string; context: BrowserContext; page: Page };

const keys = new Map<string, Promise<string>>();

/** Returns the publishable key with which a product's pages call its backend. */
export function publishableKey(url = inject("url")): Promise<string> {
  const asked = keys.get(url) ?? askForKey(url);
  keys.set(url, asked);
  return asked;
}

async function askForKey(url: string): Promise<string> {
  const html = await (await fetch(`${url}/sign-in`)).text();
  const key = /publishableKey\W+([\w-]+)/.exec(html)?.[1];
  if (!key) throw new Error(`${url}/sign-in has no publishable key`);
  return key;
}

/**
 * Creates a person with an account, its first workspace and a browser window, which is signed in
 * and has opened no page yet. Signing up through the form is tested separately. The service worker
 * is blocked unless requested, because a test cannot delay its requests.
 */
export async function person(
  browser: Browser,
  name: string,
  serviceWorkers: "allow" | "block" = "block",
  baseURL = inject("url"),
): Promise<Person> {
  const keys = { publishableKey: await publishableKey(baseURL) };
  const account = await signUp({ url: baseURL, keys }, name);
  const { id: userId, email = "", updated_at: updatedAt = "" } = account.user;
  const claims = tokenClaims(await account.accessToken());
  const session = { userId, email, name, updatedAt, ...claims };
  const refused = await openAccount(supabaseStore(account.client), session);
  if (refused.length > 0) throw new Error(`${name}: ${JSON.stringify(refused)}`);
  const context = await browser.newContext({ baseURL, reducedMotion: "reduce", serviceWorkers });
  const cookies = await sessionCookies(account);
  await context.addCookies(
    cookies.map((cookie) => ({ ...cookie, url: baseURL, sameSite: "Lax" as const })),
  );
  const page = await context.newPage();
  return { ...account, workspace: firstWorkspaceId(userId), context, page };
}

/** Returns the id of the workspace or document that the page shows. */
export function shownId(page: Page): string {
  const id = /\/[wd]\/([0-9a-f-]{36})/.exec(page.url())?.[1];
  if (!id) throw new Error(`no workspace or document at ${page.url()}`);
  return id;
}

/**
 * Creates and opens a document in the person's workspace, with the button if a page is open.
 * Resolves to the path when the text can be edited.
 */
export async function newDocument(who: Person, title?: string): Promise<string> {
  const before = who.page.url();
  if (before === "about:blank") await who.page.goto(await begunDocument(who));
  else {
    await who.page.getByRole("button", { name: "New document" }).first().click();
    await who.page.waitForURL(
      (url) => url.href !== before && /\/d\/[0-9a-f-]{36}/.test(url.pathname),
    );
  }
  await writable(who.page).waitFor();
  if (title) {
    await titleBox(who.page).fill(title);
    await titleBox(who.page).press("Enter");
  }
  return new URL(who.page.url()).pathname;
}

/** Creates a document in the person's workspace as its button does, and returns the path. */
async function begunDocument({ client, workspace }: Person): Promise<string> {
  const id = randomUUID();
  const body = { workspaceId: workspace, title: "" };
  granted(
    await supabaseStore(client).append(id, 0, [
      { id: randomUUID(), type: "document.created", body },
    ]),
  );
  return `/d/${id}`;
}

/** The text of the open document. */
export const text = (page: Page) => page.getByRole("textbox", { name: "Document text" });

/** The text of the open document once it can be edited. The server's text appears earlier. */
export const writable = (page: Page) =>
  page.locator('[contenteditable="true"][aria-label="Document text"]');

/** The title of the open document. */
export const titleBox = (page: Page) => page.getByRole("textbox", { name: "Title" });

/** The line that shows whether the text is saved. */
export const saveStatus = (page: Page) =>
  page
    .getByRole("status")
    .filter({ hasText: /Saved|Saving…|Offline|Not connected|Signed out|No access|Not saved/ })
    .first();

/**
 * Waits until the page shows that the log holds everything typed here. A plain string would also
 * match "Not saved", because it ignores case.
 */
export const saved = (page: Page) =>
  saveStatus(page)
    .filter({ hasText: /\bSaved\b/ })
    .waitFor();

/**
 * Invites by link, and the guest accepts in their own window. `role` is the dialog's wording: "can
 * edit", "can read".
 */
export async function inviteByLink(
  host: Person,
  guest: Person,
  workspace: string,
  role: string,
): Promise<void> {
  const page = await host.context.newPage();
  await page.goto(`/w/${workspace}/members`);
  await page.getByRole("button", { name: "Invite" }).first().click();
  const dialog = page.getByRole("dialog");
  await choose(page, dialog.getByRole("combobox", { name: "Role of who joins by link" }), role);
  await dialog.getByRole("button", { name: "Create link" }).click();
  const link = await dialog.getByLabel("Invitation link").inputValue();
  await page.close();
  await guest.page.goto(link);
  await guest.page.getByRole("button", { name: /accept|join/i }).click();
  await guest.page.waitForURL(new RegExp(`/w/${workspace}`));
}

/** Picks an option of a select by its words. */
export async function choose(page: Page, select: Locator, option: string): Promise<void> {
  await select.click();
  await page.getByRole("option", { name: option }).click();
}

/** Opens the newest caught mail to an address and follows its link. */
export async function followMail(page: Page, address: string): Promise<void> {
  await page.goto("/mail");
  await page
    .getByRole("list", { name: "Messages" })
    .getByRole("button")
    .filter({ hasText: address })
    .first()
    .click();
  const link = page.getByRole("article").getByRole("link").first();
  await page.goto((await link.getAttribute("href")) ?? "");
}
