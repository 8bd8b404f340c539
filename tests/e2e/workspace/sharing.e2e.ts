import type { Browser } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { newDocument, person, saved, text, writable } from "../support/person";
import type { Person } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
let ana: Person;
let path: string;

beforeAll(async () => {
  browser = await sharedBrowser();
  ana = await person(browser, "Ana");
  path = await newDocument(ana);
  await text(ana.page).click();
  await ana.page.keyboard.type("Without a title.");
  await saved(ana.page);
});

describe("sharing from a document", () => {
  it("[DOCS-12] names the workspace, offers read access, and distinguishes the two links", async () => {
    await ana.page.goto(path);
    await writable(ana.page).waitFor();
    await ana.page.getByRole("button", { name: "Share", exact: true }).click();
    const dialog = ana.page.getByRole("dialog", { name: /^Share the workspace / });
    await dialog
      .getByText(
        new RegExp(
          "get access to every document in this workspace, not only to “.?Untitled.?”\\. " +
            "A single document can’t be shared yet\\.",
        ),
      )
      .waitFor();
    expect(await dialog.getByRole("combobox", { name: "Role", exact: true }).innerText()).toContain(
      "can read",
    );
    await dialog.getByRole("button", { name: "Copy link to this document" }).waitFor();
    expect(await dialog.getByRole("button", { name: /copy/i }).count()).toBe(1);
    await dialog.getByRole("button", { name: "Create link" }).click();
    await dialog.getByRole("button", { name: "Copy invitation link" }).waitFor();
    expect(await dialog.getByLabel("Invitation link", { exact: true }).inputValue()).toContain(
      "/invite/",
    );
  });
});

describe("a fork", () => {
  const notice = (who: Person) => who.page.getByRole("complementary", { name: "Fork" });

  it("[DOCS-13] of an untitled document says so, with a link, even to the trash", async () => {
    await ana.page.goto(path);
    await writable(ana.page).waitFor();
    await saved(ana.page);
    await ana.page.getByRole("button", { name: "More", exact: true }).click();
    await ana.page.getByRole("menuitem", { name: "Fork this document" }).click();
    await notice(ana).getByRole("link", { name: "Untitled" }).waitFor();
    const fork = new URL(ana.page.url()).pathname;
    await ana.page.goto(path);
    await ana.page.getByRole("button", { name: "More", exact: true }).click();
    await ana.page.getByRole("menuitem", { name: "Move to trash" }).click();
    await ana.page
      .getByText(/to trash/)
      .first()
      .waitFor();
    await ana.page.goto(fork);
    expect(
      await notice(ana).getByRole("link", { name: "Untitled" }).getAttribute("href"),
    ).toContain(path);
  });

  it("[DOCS-13] of a document that its reader cannot see says so, without a link", async () => {
    // The database's answer for a document in a workspace that the reader is not in.
    await ana.page.route(/\/rest\/v1\/documents\?select=title&/, (route) =>
      route.fulfill({ json: [] }),
    );
    await ana.page.reload();
    await notice(ana).getByText("Forked from a document that you can’t see.").waitFor();
    expect(await notice(ana).getByRole("link").count()).toBe(0);
  });
});
