import type { Browser, BrowserContext, Page } from "playwright";
import { expect, inject } from "vitest";
import { publishableKey } from "./person";

export const password = "a good long sentence";
export const other = "another long sentence";

let count = 0;

type Window = { context: BrowserContext; page: Page };

/** Creates a person's browser context, which fails the test if a page violates its own CSP. */
export async function newBrowser(
  browser: Browser,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<Window> {
  const context = await browser.newContext({
    baseURL: inject("url"),
    serviceWorkers: "block",
    ...options,
  });
  const page = await context.newPage();
  page.on("console", (message) => {
    if (/Content Security Policy/i.test(message.text())) throw new Error(message.text());
  });
  return { context, page };
}

/** Signs up through the form, and returns the address. The page then shows the account. */
export async function signUp(page: Page, name: string): Promise<string> {
  count += 1;
  const email = `${name.toLowerCase()}.${process.pid}.${count}@example.com`;
  await page.goto("/sign-up?next=/account");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
  return email;
}

/** Fills in the sign-in form on the page. */
export async function signIn(page: Page, email: string, secret: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(secret);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Returns the content of a browser's session cookie. */
export async function sessionOf(context: BrowserContext): Promise<{ access_token?: string }> {
  const cookie = (await context.cookies()).find(({ name }) => name === "palimpsest-auth");
  return JSON.parse(
    Buffer.from((cookie?.value ?? "").replace("base64-", ""), "base64url").toString(),
  );
}

/** Returns the access token in a browser. */
export async function accessToken(context: BrowserContext): Promise<string> {
  return (await sessionOf(context)).access_token ?? "";
}

/** Returns the auth server's status for a token: 403 if the token's session has ended. */
export async function userStatus(token: string): Promise<number> {
  const headers = { apikey: await publishableKey(), authorization: `Bearer ${token}` };
  return (await fetch(`${inject("url")}/auth/v1/user`, { headers })).status;
}

/** Returns the sign-in history on the account page, newest first, once it starts with `newest`. */
export async function history(page: Page, ...newest: string[]): Promise<string[]> {
  let entries: string[] = [];
  const read = async () => {
    await page.goto("/account");
    entries = await page
      .getByRole("list", { name: "Sign-in history" })
      .locator("li > span:first-child")
      .allInnerTexts();
    const shown = entries.slice(0, newest.length);
    if (String(shown) !== String(newest)) await allSent(page);
    return shown;
  };
  await expect.poll(read, { interval: 2_000, timeout: 120_000 }).toEqual(newest);
  return entries;
}

/**
 * Waits until the page has sent the queued events. A page sends these events once it is ready. If a
 * page is left earlier, it sends none.
 */
async function allSent(page: Page): Promise<void> {
  const isEmpty = () => !Object.keys(localStorage).some((key) => key.includes(":statement:"));
  // A refused event stays in the queue.
  await page.waitForFunction(isEmpty, undefined, { timeout: 15_000 }).catch(() => undefined);
}
