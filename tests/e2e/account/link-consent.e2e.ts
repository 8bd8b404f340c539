import type { Browser } from "playwright";
import { beforeAll, expect, inject, test } from "vitest";
import { newBrowser, sessionOf, signUp } from "../support/account";
import { mailLink, mailTo } from "../support/mail";
import { publishableKey } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";

const site = inject("url");
let browser: Browser;

beforeAll(async () => {
  browser = await sharedBrowser();
});

const sent = new Set<string>();

/** A sign-in link that was requested elsewhere for an address, a new one at each call. */
async function linkOf(email: string): Promise<string> {
  await fetch(`${site}/auth/v1/otp`, {
    method: "POST",
    headers: { apikey: await publishableKey(), "content-type": "application/json" },
    body: JSON.stringify({ email, create_user: false }),
  });
  let link = "";
  await expect
    .poll(async () => sent.has((link = mailLink(await mailTo(email, /sign-in link/i)))))
    .toBe(false);
  sent.add(link);
  return site + link;
}

test("[ACC-60] a link to another account asks first, and keeps the session until the answer", async () => {
  const mallory = await newBrowser(browser);
  const hers = await signUp(mallory.page, "Mallory");
  const { context, page } = await newBrowser(browser);
  const email = await signUp(page, "Ana");
  const before = await sessionOf(context);
  await page.goto(await linkOf(hers));
  await page.getByRole("heading", { name: `Sign in as ${hers}?` }).waitFor();
  expect(await sessionOf(context)).toEqual(before);
  await page.getByRole("button", { name: `Stay signed in as ${email}` }).click();
  await page.waitForURL((url) => url.pathname !== "/auth/confirm");
  expect(await sessionOf(context)).toEqual(before);
  await page.goto(await linkOf(hers));
  await page.getByRole("button", { name: `Sign in as ${hers}`, exact: true }).click();
  await page.waitForURL((url) => url.pathname !== "/auth/confirm");
  expect(await sessionOf(context)).not.toEqual(before);
  for (const browsing of [context, mallory.context]) await browsing.close();
});

test("[ACC-60] a visitor is asked after a link on another site, and not after typing the address", async () => {
  const mallory = await newBrowser(browser);
  const hers = await signUp(mallory.page, "Mallory");
  const { context, page } = await newBrowser(browser);
  for (const path of [await linkOf(hers)]) {
    await page.setContent(`<a href="${path.replaceAll("&", "&amp;")}">a harmless page</a>`);
    await page.getByRole("link").click();
    await page.getByRole("heading", { name: `Sign in as ${hers}?` }).waitFor();
    expect((await context.cookies()).filter(({ name }) => name.includes("auth"))).toEqual([]);
    await page.getByRole("button", { name: "Don’t sign in" }).click();
    await page.waitForURL("**/sign-in");
  }
  await page.goto(await linkOf(hers));
  await page.waitForURL((url) => /^\/(w\/|$)/.test(url.pathname));
  for (const browsing of [context, mallory.context]) await browsing.close();
});
