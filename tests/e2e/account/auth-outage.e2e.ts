import type { ServerResponse } from "node:http";
import type { Browser, BrowserContext, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { freePort, launch, startStack } from "@/tests/support/product/stack";
import type { Launch, Stack } from "@/tests/support/product/stack";
import { sessionOf } from "../support/account";
import { barriers } from "../support/browser/axe";
import { cached } from "../support/bundles/cached";
import { middleman } from "../support/middleman";
import type { Middleman } from "../support/middleman";
import { newDocument, person, saved, saveStatus, text } from "../support/person";
import type { Person } from "../support/person";
import { onceMore } from "../support/request";
import { closeContexts, sharedBrowser } from "../support/browser/shared-browser";

/** The product as on a hosted project, whose auth server can fail while everything else works. */
let backend: Stack;
let pages: Launch;
let between: Middleman;
let browser: Browser;
let ana: Person;
let path: string;

const ofBackend = /^\/(auth|rest|realtime|functions|storage)\/v1\//;

beforeAll(async () => {
  backend = await startStack();
  const port = await freePort();
  between = await middleman((path) =>
    ofBackend.test(path) ? backend.url : `http://127.0.0.1:${port}`,
  );
  pages = launch({
    port,
    env: {
      NEXT_PUBLIC_SUPABASE_URL: between.url,
      NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: backend.keys.publishableKey,
      SUPABASE_SECRET_KEY: backend.keys.secretKey,
    },
  });
  await pages.ready();
  browser = await sharedBrowser();
  ana = await person(browser, "Ana", "allow", between.url);
  path = await newDocument(ana, "Tide table");
  await text(ana.page).click();
  await ana.page.keyboard.type("High water at six. ");
  await saved(ana.page);
  await vi.waitUntil(
    async () => {
      const { page, words } = await cached(ana.page, path);
      return page && String(words).includes("High water at six.");
    },
    { timeout: 60_000 },
  );
  // No other tab may renew the session that a test has aged.
  await ana.page.close();
});

afterAll(async () => {
  await closeContexts();
  pages.child.kill("SIGTERM");
  await pages.ended;
  await between.close();
  await backend.dispose();
});

/** Replaces the auth server's answers; everything else works. */
function authAnswers(answer: ((outgoing: ServerResponse) => void) | null) {
  between.meddle(
    answer &&
      ((incoming, outgoing) => {
        if (!incoming.url?.startsWith("/auth/v1/")) return false;
        answer(outgoing);
        return true;
      }),
  );
}

const outages = {
  "answers 503": (outgoing: ServerResponse) => void outgoing.writeHead(503).end(),
  "closes the connection": (outgoing: ServerResponse) => void outgoing.destroy(),
  "does not answer": () => undefined,
};
const refuses = (outgoing: ServerResponse) =>
  void outgoing
    .writeHead(400, { "content-type": "application/json" })
    .end(JSON.stringify({ error_code: "refresh_token_not_found", msg: "Invalid Refresh Token" }));

/** Ages a browser's session so that it has to be renewed. */
async function age(context: BrowserContext) {
  const cookie = (await context.cookies()).find(({ name }) => name === "palimpsest-auth");
  if (!cookie) throw new Error("there is no session");
  const aged = { ...(await sessionOf(context)), expires_at: Math.floor(Date.now() / 1000) - 60 };
  const value = `base64-${Buffer.from(JSON.stringify(aged)).toString("base64url")}`;
  await context.addCookies([{ ...cookie, value }]);
}

const held = async (context: BrowserContext) =>
  (await context.cookies()).find(({ name }) => name === "palimpsest-auth")?.value;

/**
 * Advances the page's clock by half a minute at a time until `holds`, so that the test does not
 * wait for the auth client's own delays. Which of its timers runs is unknown, so once is not
 * enough.
 */
async function passUntil(page: Page, holds: () => Promise<boolean>) {
  await expect
    .poll(
      async () => {
        if (await holds()) return true;
        await page.clock.fastForward(31_000);
        return false;
      },
      { timeout: 180_000, interval: 2_000 },
    )
    .toBe(true);
}

const dialog = (page: Page) => page.getByRole("dialog", { name: "Sign in to continue" });

describe.each(Object.entries(outages))("an auth server that %s", (_, outage) => {
  it("[ACC-18] takes no page from a person whose token the database accepts", async () => {
    const page = await ana.context.newPage();
    authAnswers(outage);
    const answer = await page.goto(path);
    expect(answer?.status()).toBe(200);
    expect(new URL(page.url()).pathname).toBe(path);
    await expect.poll(() => text(page).innerText()).toContain("High water at six.");
    authAnswers(null);
    await page.close();
  });

  it("[ACC-18] keeps a session that cannot be renewed, and says so at the page's address", async () => {
    const page = await ana.context.newPage();
    authAnswers(outage);
    await age(ana.context);
    const before = await held(ana.context);
    // Both wait for as long as the server waits for the auth server.
    const [answer, asked] = await Promise.all([
      page.goto("/account"),
      ana.context.request.post(`${between.url}${path}/cut`, { ...onceMore, maxRedirects: 0 }),
    ]);
    expect(answer?.status()).toBe(503);
    expect(asked.status()).toBe(503);
    expect(new URL(page.url()).pathname).toBe("/account");
    await page.getByRole("heading", { name: "Your session can’t be checked right now" }).waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(await held(ana.context)).toBe(before);
    authAnswers(null);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
    await page.close();
  });
});

it(
  "[ACC-19] leaves a stored document usable as offline, and it is saved once the session is " +
    "renewed",
  async () => {
    const page = await ana.context.newPage();
    await page.clock.install();
    authAnswers(outages["answers 503"]);
    await age(ana.context);
    let hasGivenUp = false;
    page.on("console", (message) => {
      hasGivenUp ||= message.text().includes("AuthRetryableFetchError");
    });
    await page.goto(path);
    await expect.poll(() => text(page).innerText()).toContain("High water at six.");
    // The auth client gives up after half a minute and finds no session.
    await passUntil(page, async () => hasGivenUp);
    await text(page).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Low water at noon. ");
    await saveStatus(page).filter({ hasText: "Offline" }).waitFor();
    expect(await dialog(page).isVisible()).toBe(false);
    authAnswers(null);
    // For a minute after a failure, the auth client does not retry the same renewal.
    const savedAgain = saveStatus(page).filter({ hasText: /\bSaved\b/ });
    await passUntil(page, () => savedAgain.isVisible());
    const fresh = await ana.context.newPage();
    await fresh.goto(path);
    await expect.poll(() => text(fresh).innerText()).toContain("Low water at noon.");
    await page.close();
    await fresh.close();
  },
);

it("[ACC-18] an auth server that refuses to renew the session leads to the sign-in page", async () => {
  const page = await ana.context.newPage();
  authAnswers(refuses);
  await age(ana.context);
  await page.goto("/account");
  await page.waitForURL(/\/sign-in\?next=%2Faccount$/);
  expect(await held(ana.context)).toBeUndefined();
  authAnswers(null);
});
