import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import {
  followMail,
  inviteByLink,
  newDocument,
  person,
  saved,
  text,
  writable,
} from "../support/person";
import type { Person } from "../support/person";
import { revisionSlider } from "../support/player";
import { listen, pressEverything } from "../support/browser/quiet";
import type { Quiet } from "../support/browser/quiet";
import { select } from "../support/browser/selection";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
const patient = 480_000;

/** Controls that sign out, open a system window, or remove what the walk depends on. */
const ends = new RegExp(
  "sign out|continue as|move to trash|delete|leave|remove|full screen|choose.*file|redact|fork|" +
    "create workspace|clear|^close$|^new document",
  "i",
);

const isSoak = process.env["SOAK"] === "1";
// Without a worker a page only sends its usual requests: the soak walks that.
const workersOf = isSoak ? (["allow", "block"] as const) : (["allow"] as const);

describe.each(workersOf)("the pages, with service workers that are %sed,", (workers) => {
  // `npm run test:soak` presses every control once; otherwise only those that load much or run
  // beside the page.
  const isWhole = workers === "allow" && isSoak;
  const leave = isWhole ? ends : /^(?!(?:History|Share|Comments)$)/;
  // The menus of the frame are the same on every page.
  const leaveFrame = isWhole
    ? new RegExp(`${ends.source}|switch workspace|your account`, "i")
    : leave;
  let ana: Person;
  let quiet: Quiet;
  let workspace: string;
  let path: string;
  beforeAll(async () => {
    ana = await person(browser, "Ana", workers);
    quiet = listen(ana.context);
    ({ workspace } = ana);
    path = await newDocument(ana, "Tide table");
    const { page } = ana;
    await writable(page).click();
    await page.keyboard.type(
      "# High water\nAt six in the morning.\n- one\ntwo\n\nAnd low water at noon.",
    );
    await saved(page);
    await select(page, "low water");
    await page.keyboard.press("Control+Shift+M");
    await page.getByRole("textbox", { name: "Comment", exact: true }).fill("Is that so?");
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await page.getByRole("article", { name: /Comment thread on/ }).waitFor();
    await newDocument(ana, "For the trash");
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Move to trash" }).click();
    await page.getByText("This document is in the trash").waitFor();
  });
  afterAll(() => ana?.context.close());

  const quietly = () => expect(quiet.faults.splice(0)).toEqual([]);

  it("[HOUSE-10] log nothing about a document or its layers", { timeout: patient }, async () => {
    const pressed = await pressEverything({
      page: ana.page,
      quiet,
      leave: leaveFrame,
      begin: async () => {
        await ana.page.goto(path);
        await writable(ana.page).waitFor();
        // Layers over the text load after it.
        await saved(ana.page);
      },
    });
    const known = isWhole
      ? ["Share", "History", "More", "More › Name this version…", "More › Verify history…"]
      : ["Share", "History"];
    expect(pressed).toEqual(expect.arrayContaining(known));
    quietly();
  });

  it("[HOUSE-10] log nothing in the player and in comparisons", { timeout: patient }, async () => {
    const begin = async () => {
      await ana.page.goto(`${path}?at=3`);
      await revisionSlider(ana.page).waitFor();
    };
    const pressed = await pressEverything({ page: ana.page, quiet, leave: leaveFrame, begin });
    if (isWhole) expect(pressed.length).toBeGreaterThan(10);
    quietly();
    // Controls that the player shares were pressed there.
    const names = pressed.map((name) =>
      name.replace(/ › .*/, "").replace(/[.*+?^${}()|[\]\\]/g, "\\$&"),
    );
    const leavePlayer = isWhole
      ? new RegExp(`${leaveFrame.source}|^(${names.join("|")})$`, "i")
      : leave;
    await pressEverything({
      page: ana.page,
      quiet,
      leave: leavePlayer,
      begin: async () => {
        await ana.page.goto(`${path}?compare=3&with=now`);
        await revisionSlider(ana.page).waitFor();
      },
    });
    quietly();
  });

  it(
    "[HOUSE-10] log nothing before, during and after a session",
    { timeout: patient },
    async () => {
      const context = await browser.newContext({
        baseURL: inject("url"),
        reducedMotion: "reduce",
        serviceWorkers: workers,
      });
      const signedOut = listen(context);
      const page = await context.newPage();
      for (const route of [
        "/",
        "/sign-in",
        "/sign-up",
        "/forgot-password",
        "/reset-password",
        "/auth/confirm",
        "/mail",
        path,
        `/w/${workspace}`,
      ]) {
        await pressEverything({
          page,
          quiet: signedOut,
          leave,
          begin: async () => {
            signedOut.step(route);
            await page.goto(route);
            await page.getByRole("main").first().waitFor();
          },
        });
      }
      signedOut.step("signing up");
      const email = `nora.${Date.now().toString(36)}@example.com`;
      await page.goto("/sign-up");
      await page.getByLabel("Name").fill("Nora");
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password").fill("a long enough passphrase");
      await page.getByRole("button", { name: "Create account" }).click();
      await page.waitForURL(/\/w\//);
      // A request in flight would be refused after the session ends, and logged. A page reached by
      // client navigation counts as idle from the start.
      await page.reload({ waitUntil: "networkidle" });
      signedOut.step("signing out");
      await page.locator("header, nav").getByRole("button", { name: "Nora" }).last().click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      await page.waitForURL(/\/sign-in/);
      signedOut.step("asking for a new password");
      await page.goto("/forgot-password");
      await page.getByLabel("Email").fill(email);
      await page.getByRole("main").getByRole("button").last().click();
      await page.getByRole("status").first().waitFor();
      signedOut.step("following the mail");
      await followMail(page, email);
      await page.getByRole("main").first().waitFor();
      expect(signedOut.faults).toEqual([]);
      await context.close();
    },
  );

  it.each(["", "/members", "/activity", "/trash"])(
    "[HOUSE-10] log nothing in a workspace, at %j",
    { timeout: patient },
    async (part) => {
      const pressed = await pressEverything({
        page: ana.page,
        quiet,
        leave: part === "" ? leave : leaveFrame,
        begin: async () => {
          await ana.page.goto(`/w/${workspace}${part}`);
          await ana.page.getByRole("main").first().waitFor();
        },
      });
      if (isWhole && part !== "/trash") expect(pressed.length).toBeGreaterThan(0);
      quietly();
    },
  );

  it("[HOUSE-10] log nothing about an account", { timeout: patient }, async () => {
    await pressEverything({
      page: ana.page,
      quiet,
      leave: leaveFrame,
      begin: async () => {
        await ana.page.goto("/account");
        await ana.page.getByRole("heading", { name: "Account", exact: true }).waitFor();
      },
    });
    quietly();
  });

  it(
    "[HOUSE-10] log nothing for an invited reader and their return",
    { timeout: patient },
    async () => {
      const ben = await person(browser, "Ben", workers);
      const his = listen(ben.context);
      his.step("accepting");
      await ana.page.goto(`/w/${workspace}`);
      await inviteByLink(ana, ben, workspace, "can read");
      his.step("reading");
      await ben.page.goto(path);
      await text(ben.page).getByText("low water").waitFor();
      await saved(ben.page);
      await ben.page.getByRole("button", { name: "History" }).click();
      await revisionSlider(ben.page).waitFor();
      for (const part of ["", "/members", "/activity", "/trash"]) {
        his.step(part);
        await ben.page.goto(`/w/${workspace}${part}`);
        await ben.page.getByRole("main").first().waitFor();
      }
      his.step("coming back");
      await ben.page.goto(path);
      await saved(ben.page);
      expect(his.faults).toEqual([]);
      quietly();
      await ben.context.close();
    },
  );
});
