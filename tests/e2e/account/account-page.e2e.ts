import type { Browser } from "playwright";
import { beforeAll, describe, expect, test } from "vitest";
import { startStack } from "@/tests/support/product/stack";
import {
  accessToken,
  history,
  newBrowser,
  other,
  password,
  signIn,
  signUp,
  userStatus,
} from "../support/account";
import { mailLink, mailTo } from "../support/mail";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;

beforeAll(async () => {
  browser = await sharedBrowser();
});
describe("the account page", () => {
  test(
    "[ACC-15] [AUTH-4] a new address counts once both mails' links are followed, and signs in " +
      "from then on",
    async () => {
      const { context, page } = await newBrowser(browser);
      const email = await signUp(page, "Ana");
      const next = `new.${email}`;
      await page.getByLabel("New email").fill(next);
      await page.getByRole("button", { name: "Change email" }).click();
      await page.getByText("Mail is on its way").waitFor();
      await page.goto("/account");
      await page.getByText(`Now: ${email}`).waitFor();
      await page.goto(mailLink(await mailTo(next, /change of address/)));
      await page.getByText("the mail to the other address").waitFor();
      await page.getByRole("link", { name: "Go to your account" }).click();
      await page.getByText(`Now: ${email}`).waitFor();
      await page.goto(mailLink(await mailTo(email, /change of address/)));
      await page.waitForURL("**/account");
      await page.getByText(`Now: ${next}`).waitFor();
      const entries = await history(page, "Email changed");
      expect(entries).toContain("Email change requested");
      await page.getByRole("button", { name: "Sign out here" }).click();
      await page.waitForURL("**/sign-in");
      await signIn(page, email, password);
      await page.getByText("don’t belong together").waitFor();
      await signIn(page, next, password);
      await page.waitForURL((url) => url.pathname !== "/sign-in");
      await context.close();
    },
  );

  test(
    "[ACC-13] [ACC-14] [AUTH-3] a person sees their devices and signs one out, and a new " +
      "password signs out the rest",
    async () => {
      const { context, page } = await newBrowser(browser);
      const email = await signUp(page, "Ben");
      const elsewhere = async (userAgent: string) => {
        const device = await newBrowser(browser, { userAgent });
        await device.page.goto("/sign-in?next=/account");
        await signIn(device.page, email, password);
        await device.page.getByRole("heading", { name: "Account", exact: true }).waitFor();
        const token = await accessToken(device.context);
        await device.context.close();
        return token;
      };
      const phone = await elsewhere(
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 Version/26.1 Mobile Safari/604.1",
      );
      const laptop = await elsewhere(
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0",
      );
      await page.reload();
      const rows = page.getByRole("list", { name: "Sessions" }).getByRole("listitem");
      await expect.poll(() => rows.count()).toBe(3);
      expect(await rows.first().innerText()).toContain("This one");
      expect(await rows.filter({ hasText: "Firefox on Windows" }).innerText()).toContain(
        "Last used",
      );
      await page.getByRole("button", { name: "Sign out Safari on iPhone" }).click();
      await expect.poll(() => rows.count()).toBe(2);
      expect([await userStatus(phone), await userStatus(laptop)]).toEqual([403, 200]);

      await page.getByLabel("New password").fill(other);
      await page.getByRole("button", { name: "Change password" }).click();
      await expect.poll(() => rows.count()).toBe(1);
      expect(await userStatus(laptop)).toBe(403);
      expect((await history(page, "Password changed")).slice(0, 1)).toEqual(["Password changed"]);
      await context.close();
    },
  );

  test("[ACC-3] a refused event is shown, and proposed again on request", async () => {
    const { context, page } = await newBrowser(browser);
    const email = await signUp(page, "Carol");
    await page.getByRole("button", { name: "Sign out here" }).click();
    await page.waitForURL("**/sign-in");
    await page.route("**/rest/v1/rpc/append_events", async (route) => {
      if (!route.request().postData()?.includes("auth.signed_in")) return route.continue();
      await route.fulfill({
        status: 400,
        json: { message: "invalid-event", details: "", hint: null, code: "PT400" },
      });
    });
    await signIn(page, email, password);
    await page.waitForURL((url) => url.pathname !== "/sign-in");
    await page.goto("/account");
    const notice = page.getByRole("status").filter({ hasText: "These entries couldn’t be added" });
    await notice.getByText("Signed in").waitFor();
    await page.unrouteAll();
    await notice.getByRole("button", { name: "Try again" }).click();
    await notice.waitFor({ state: "detached" });
    await history(page, "Signed in", "Signed out");
    await context.close();
  });
});

describe("the demo", () => {
  test("[START-7] one click on Ana or Ben opens the demo workspace of a new product", async () => {
    const fresh = await startStack({ env: { DEMO: "1" } });
    try {
      for (const name of ["Ana", "Ben"]) {
        const { context, page } = await newBrowser(browser, { baseURL: fresh.url });
        await page.goto("/");
        await page.getByRole("button", { name: `Continue as ${name}` }).click();
        await page.waitForURL(/\/w\/[0-9a-f-]{36}$/);
        await page.getByText("Thornbury Village Library").first().waitFor();
        await context.close();
      }
    } finally {
      await fresh.dispose();
    }
  });
});
