import type { Browser, Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { supabaseStore } from "@/events/log/store";
import { barriers } from "../support/browser/axe";
import { saved, text, writable } from "../support/person";
import type { Person } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";
import { sharedDocument } from "../support/shared-document";

let browser: Browser;
let ana: Person;
let ben: Person;
let workspace: string;
let path: string;

beforeAll(async () => {
  browser = await sharedBrowser();
  ({ ana, ben, workspace, path } = await sharedDocument(browser, {
    title: "Budget",
    begun: "The boiler costs £2,400 a year to run.",
    ended: " It is loud.",
  }));
});

const unread = (page: Page) => page.getByRole("list", { name: "Unread documents" });
const read = (page: Page) => page.getByRole("list", { name: "Documents", exact: true });
const row = (page: Page) => unread(page).getByRole("listitem").filter({ hasText: "Budget" });

describe("the home page", () => {
  it("[HOME-9] shows what another person changed since the last read, and clears it on opening", async () => {
    // Ana has read everything, and goes home. Ben's text reaches her page before the log's rows do.
    const id = path.slice("/d/".length);
    const newest = (await supabaseStore(ana.client).read(id, 0)).at(-1)?.version;
    const seen = (userId: string) =>
      ana.page.evaluate(
        ([userId, id]) => {
          const stored = localStorage.getItem(`palimpsest-seen:${userId}:${id}`);
          return stored === null ? null : JSON.parse(stored).version;
        },
        [userId, id],
      );
    await expect.poll(() => seen(ana.user.id)).toBe(newest);
    await ana.page.goto(`/w/${workspace}`);
    await read(ana.page).getByText("Budget").waitFor();
    expect(await unread(ana.page).count()).toBe(0);

    await writable(ben.page).click();
    await ben.page.keyboard.press("Control+End");
    await ben.page.keyboard.type(" We should replace it.");
    await saved(ben.page);
    await expect.poll(() => row(ana.page).innerText()).toMatch(/^Unread\s*Budget\s[^]*Ben /);
    await expect
      .poll(() => row(ana.page).innerText(), { timeout: 180_000 })
      .toMatch(/Ben added .*\. See \d+ changes?/);
    const tree = ana.page.getByRole("navigation", { name: "Workspace" });
    await tree.getByText(", unread").first().waitFor({ state: "attached" });
    expect(await barriers(ana.page)).toEqual([]);

    const address = await row(ana.page).getByRole("link", { name: /^See/ }).getAttribute("href");
    expect(address).toMatch(new RegExp(`^${path}\\?compare=\\d+&with=\\d+$`));
    await row(ana.page).getByRole("link", { name: "Budget", exact: true }).click();
    await text(ana.page).getByText("We should replace it.").waitFor();
    // Another device of hers is notified.
    const phone = await ana.context.newPage();
    await phone.goto(`/w/${workspace}`);
    await read(phone).getByText("Budget").waitFor();
    await phone.close();
  });

  it("[HOME-4] marks all as read, and undoes that", async () => {
    await ana.page.goto(`/w/${workspace}`);
    await ben.page.keyboard.type(" Soon.");
    await saved(ben.page);
    await row(ana.page).waitFor();
    await ana.page.getByRole("button", { name: "Mark all as read" }).click();
    await read(ana.page).getByText("Budget").waitFor();
    await expect.poll(() => unread(ana.page).count()).toBe(0);
    await ana.page.getByRole("button", { name: "Undo" }).click();
    await row(ana.page).waitFor();
  });

  it("[HOME-8] keeps favourites in every tab's sidebar until they are removed", async () => {
    await ana.page.goto(`/w/${workspace}`);
    const other = await ana.context.newPage();
    await other.goto(path);
    await read(ana.page).getByText("Budget").waitFor();
    const favourites = (page: Page) => page.getByRole("list", { name: "Favourites" });
    await ana.page.getByRole("button", { name: "Actions for Budget" }).click();
    await ana.page.getByRole("menuitem", { name: "Add to favourites" }).click();
    await favourites(ana.page)
      .getByRole("link", { name: /Budget/ })
      .waitFor();
    await favourites(other)
      .getByRole("link", { name: /Budget/ })
      .waitFor();
    expect(await barriers(ana.page)).toEqual([]);
    await other.getByRole("button", { name: "More" }).click();
    await other.getByRole("menuitem", { name: "Remove from favourites" }).click();
    await favourites(ana.page).waitFor({ state: "detached" });
    await other.close();
  });
});
