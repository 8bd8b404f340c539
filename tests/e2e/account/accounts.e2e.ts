import type { Browser, Page } from "playwright";
import { beforeAll, describe, expect, inject, test } from "vitest";
import {
  accessToken,
  history,
  newBrowser,
  other,
  password,
  sessionOf,
  signIn,
  signUp,
  userStatus,
} from "../support/account";
import { mailLink, mailTo } from "../support/mail";
import { person } from "../support/person";
import { onceMore } from "../support/request";
import { sharedBrowser } from "../support/browser/shared-browser";

const site = inject("url");
let browser: Browser;

beforeAll(async () => {
  browser = await sharedBrowser();
});
describe("signing in", () => {
  test("a stranger is redirected to the sign-in page, which keeps the requested address", async () => {
    const { context, page } = await newBrowser(browser);
    await page.goto("/account");
    await page.waitForURL("**/sign-in?next=%2Faccount");
    await page.getByRole("link", { name: "Create an account" }).click();
    await page.waitForURL("**/sign-up?next=%2Faccount");
    await context.close();
  });

  test("[ACC-9] the sign-in page never leads to another site", async () => {
    const { context } = await person(browser, "Ana");
    for (const next of [
      "//evil.example",
      "/\\evil.example",
      "https://evil.example",
      "/%09/evil.example",
      "javascript:alert(1)",
    ]) {
      const answer = await context.request.get(`/sign-in?next=${encodeURIComponent(next)}`, {
        ...onceMore,
        maxRedirects: 0,
      });
      expect(answer.status()).toBe(307);
      expect(new URL(answer.headers()["location"] ?? "", site).origin).toBe(new URL(site).origin);
    }
    await context.close();
  });

  test(
    "[ACC-16] a new person enters their workspace, or is told that it waits for the server " +
      "and enters then",
    async () => {
      const enter = async (page: Page, name: string) => {
        await page.goto("/sign-up");
        await page.getByLabel("Name").fill(name);
        await page
          .getByLabel("Email")
          .fill(`${name.toLowerCase()}.straight.${process.pid}@example.com`);
        await page.getByLabel("Password", { exact: true }).fill(password);
        await page.getByRole("button", { name: "Create account" }).click();
      };
      const ana = await newBrowser(browser);
      const seen: string[] = [];
      ana.page.on("framenavigated", (frame) => seen.push(new URL(frame.url()).pathname));
      await enter(ana.page, "Ana");
      await ana.page.waitForURL(/\/w\/[0-9a-f-]{36}$/);
      expect(seen).not.toContain("/");
      await ana.context.close();

      const ben = await newBrowser(browser);
      await ben.context.route("**/rest/v1/rpc/append_events*", (route) => route.abort());
      await enter(ben.page, "Ben");
      await ben.page.getByText("your first workspace isn’t made yet").waitFor();
      await ben.context.unroute("**/rest/v1/rpc/append_events*");
      await ben.page.waitForURL(/\/w\/[0-9a-f-]{36}$/);
      await ben.context.close();
    },
  );

  test("[ACC-5] a visitor who touches an invitation is not asked to sign in", async () => {
    const { context, page } = await newBrowser(browser);
    await page.goto("/invite/7b1e8f3a-54f0-4b0b-8f7e-3f1f5a1e0001?token=nobody");
    let isAsked = false;
    page.on("request", (request) => {
      isAsked ||= request.url().includes("/_next/static/chunks/");
    });
    // The page notices a key once its own code runs.
    await expect
      .poll(async () => {
        await page.keyboard.press("Shift");
        return isAsked;
      })
      .toBe(true);
    // Anything that opens on a page without a session has opened once its code is idle.
    await page.waitForLoadState("networkidle");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.getByRole("heading", { name: "This invitation cannot be opened" }).waitFor();
    await context.close();
  });

  test("an error appears at its field, and the typed values stay", async () => {
    const { context, page } = await newBrowser(browser);
    await page.goto("/sign-up");
    await page.getByLabel("Name").fill("Ana");
    await page.getByLabel("Email").fill("ana@harbour");
    await page.getByLabel("Password", { exact: true }).fill("short");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("This address has no ending").waitFor();
    await page.getByText("Use at least 8 characters.").waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("Ana");
    expect(await page.getByLabel("Email").inputValue()).toBe("ana@harbour");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("name")))
      .toBe("email");
    await context.close();
  });

  test("[API-14] a second sign-up is told on the page and by mail how to continue", async () => {
    const { context, email } = await person(browser, "Twice");
    const again = await newBrowser(browser);
    await again.page.goto("/sign-up");
    await again.page.getByLabel("Name").fill("Twice");
    await again.page.getByLabel("Email").fill(email);
    await again.page.getByLabel("Password", { exact: true }).fill("another long passphrase");
    await again.page.getByRole("button", { name: "Create account" }).click();
    await again.page.getByRole("heading", { name: "Check your email" }).waitFor();
    await again.page.getByText(`We sent an email to ${email}`).waitFor();
    const mails = await context.request.get(
      `/mail/messages.json?to=${encodeURIComponent(email)}`,
      onceMore,
    );
    expect(await mails.json()).toMatchObject([{ subject: "You already have an account" }]);
    await again.page.getByRole("link", { name: "Sign in", exact: true }).click();
    await again.page.waitForURL(/\/sign-in/);
    for (const browsing of [context, again.context]) await browsing.close();
  });

  test("[ACC-8] an address without an account gets the same answers and no mail", async () => {
    const { context, page } = await newBrowser(browser);
    await page.goto("/forgot-password");
    await page.getByLabel("Email").fill("nobody@example.com");
    await page.getByRole("button", { name: "Send reset link" }).click();
    await page.getByText("If nobody@example.com has an account").waitFor();
    await page.goto("/sign-in");
    await page.getByLabel("Email").fill("nobody@example.com");
    await page.getByRole("button", { name: "Email me a sign-in link" }).click();
    await page.getByText("If nobody@example.com has an account").waitFor();
    const mails = await context.request.get("/mail/messages.json?to=nobody@example.com", onceMore);
    expect(await mails.json()).toEqual([]);
    await context.close();
  });
});

describe("mail", () => {
  test(
    "[ACC-12] [ACC-13] a recovery mail, already fetched by a scanner, replaces the password " +
      "and signs the other device out",
    async () => {
      const { context, page } = await newBrowser(browser);
      const email = await signUp(page, "Ben");
      const device = await newBrowser(browser);
      await device.page.goto("/sign-in?next=/account");
      await signIn(device.page, email, password);
      await device.page.getByRole("heading", { name: "Account", exact: true }).waitFor();
      const token = await accessToken(device.context);
      await device.page.close();
      expect(await userStatus(token)).toBe(200);
      await page.getByRole("button", { name: "Sign out here" }).click();
      await page.waitForURL("**/sign-in");
      await page.getByRole("link", { name: "Forgot password?" }).click();
      await page.waitForURL("**/forgot-password");
      await page.getByLabel("Email").fill(email);
      await page.getByRole("button", { name: "Send reset link" }).click();
      await page.getByText("is on its way").waitFor();
      await fetch(site + mailLink(await mailTo(email, /password/i)));
      await page.goto("/mail");
      await page
        .getByRole("button", { name: new RegExp(email) })
        .first()
        .click();
      await page.getByRole("article").getByRole("link").first().click();
      await page.getByLabel("New password").fill(other);
      await page.getByRole("button", { name: "Set password" }).click();
      await page.waitForURL((url) => url.pathname !== "/reset-password");
      const entries = await history(page, "Password changed");
      expect(entries.slice(0, 4)).toEqual([
        "Password changed",
        "Recovery link used",
        "Signed in",
        "Signed out",
      ]);
      expect(await userStatus(token)).toBe(403);
      await device.context.close();

      await page.getByRole("button", { name: "Sign out here" }).click();
      await page.waitForURL("**/sign-in");
      await signIn(page, email, password);
      await page.getByText("don’t belong together").waitFor();
      await signIn(page, email, other);
      await page.waitForURL((url) => url.pathname !== "/sign-in");
      await context.close();
    },
  );

  test("an emailed code signs in, and its link works once", async () => {
    const { context, page } = await newBrowser(browser);
    const email = await signUp(page, "Carol");
    await page.getByRole("button", { name: "Sign out here" }).click();
    await page.waitForURL("**/sign-in");
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Email me a sign-in link" }).click();
    await page.getByLabel("Code").waitFor();
    const mail = await mailTo(email, /sign-in/i);
    const code = /\b\d{6}\b/.exec(mail)?.[0] ?? "";
    await page.getByLabel("Code").fill(code);
    await page.getByRole("button", { name: "Sign in with code" }).click();
    await page.waitForURL((url) => url.pathname !== "/sign-in");

    const stranger = await newBrowser(browser);
    await stranger.page.goto(mailLink(mail));
    await stranger.page.getByRole("heading", { name: "This link doesn’t work" }).waitFor();
    await stranger.context.close();
    await context.close();
  });
});

describe("sessions", () => {
  test("[ACC-2] two tabs record each auth change once", async () => {
    const { context, page } = await newBrowser(browser);
    const email = await signUp(page, "Ana");
    const second = await context.newPage();
    await second.goto("/account");
    await page.bringToFront();
    await second.bringToFront();
    await second.getByRole("button", { name: "Sign out here" }).click();
    await second.waitForURL("**/sign-in");
    await signIn(second, email, password);
    await second.waitForURL((url) => url.pathname !== "/sign-in");
    const all = ["Signed in", "Signed out", "Signed in", "Account created"];
    expect(await history(second, ...all)).toEqual(all);
    await context.close();
  });

  test("[ACC-5] an ended session asks to sign in again in place, and the page keeps typed text", async () => {
    const { context, page } = await newBrowser(browser);
    await signUp(page, "Ana");
    await page.getByLabel("Name").fill("Typed, not yet saved");
    const second = await context.newPage();
    await second.goto("/account");
    await second.getByRole("button", { name: "Sign out here" }).click();
    await second.waitForURL("**/sign-in");
    const dialog = page.getByRole("dialog", { name: "Sign in to continue" });
    await dialog.getByLabel("Password", { exact: true }).fill("wrong");
    await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
    await dialog.getByText("don’t belong together").waitFor();
    await dialog.getByLabel("Password", { exact: true }).fill(password);
    await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await page.getByLabel("Name").inputValue()).toBe("Typed, not yet saved");
    await page.getByRole("button", { name: "Save profile" }).click();
    await page.getByText("Saved", { exact: true }).first().waitFor();
    await context.close();
  });

  test("[ACC-5] a person who signs in over another's page is told whose page it is", async () => {
    const { context, page } = await newBrowser(browser);
    const ana = await signUp(page, "Ana");
    const { email: ben, password, context: elsewhere } = await person(browser, "Ben");
    await elsewhere.close();
    const second = await context.newPage();
    await second.goto("/account");
    await second.getByRole("button", { name: "Sign out here" }).click();
    await second.waitForURL("**/sign-in");
    await signIn(second, ben, password);
    await second.waitForURL((url) => url.pathname !== "/sign-in");
    const dialog = page.getByRole("dialog", { name: `You’re signed in as ${ben}` });
    await dialog.getByText(ana).waitFor();
    await context.close();
  });

  test("[ACC-10] the proxy renews an expired session, in a response that no cache may store", async () => {
    const { context } = await person(browser, "Ana");
    const session = await sessionOf(context);
    const stale = Buffer.from(JSON.stringify({ ...session, expires_at: 1 })).toString("base64url");
    const answer = await fetch(`${site}/account`, {
      headers: { cookie: `palimpsest-auth=base64-${stale}` },
      redirect: "manual",
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("set-cookie")).toContain("palimpsest-auth");
    expect(answer.headers.get("cache-control")).toMatch(/private/);
    expect(answer.headers.get("cache-control")).toMatch(/no-store/);
    await context.close();
  });

  test("[ACC-17] the proxy renews an invalid token, whatever expiry the device states", async () => {
    const { context } = await person(browser, "Ana");
    const { access_token = "", ...session } = await sessionOf(context);
    const [head, body] = access_token.split(".");
    const bad = Buffer.from(
      JSON.stringify({
        ...session,
        access_token: `${head}.${body}.AAAA`,
        expires_at: 4_000_000_000,
      }),
    ).toString("base64url");
    const answer = await fetch(`${site}/account`, {
      headers: { cookie: `palimpsest-auth=base64-${bad}` },
      redirect: "manual",
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("set-cookie")).toContain("palimpsest-auth");
    await context.close();
  });

  test("[ACC-17] a device with its clock an hour ahead does not renew its token before each request", async () => {
    const { context, page } = await newBrowser(browser);
    await context.addInitScript(() => {
      const real = Date.now;
      const now = () => real() + 3_600_000;
      const ahead = new Proxy(Date, {
        construct: (date, given) => Reflect.construct(date, given.length > 0 ? given : [now()]),
        get: (date, name) => (name === "now" ? now : Reflect.get(date, name)),
      });
      Object.assign(globalThis, { Date: ahead });
    });
    let renewals = 0;
    page.on(
      "request",
      (request) => (renewals += Number(request.url().includes("grant_type=refresh_token"))),
    );
    await signUp(page, "Ben");
    expect(await history(page, "Signed in", "Account created")).toHaveLength(2);
    await page.reload();
    expect(await history(page, "Signed in", "Account created")).toHaveLength(2);
    expect(renewals).toBe(0);
    await context.close();
  });
});
