import { randomUUID } from "node:crypto";
import type { Browser, Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import * as Y from "yjs";
import { derivedWithin } from "../support/derived";
import { hashOfBlock } from "@/events/core/ids/block-key";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { supabaseStore } from "@/events/log/store";
import { linkingDocuments } from "@/events/read-models/linking-documents";
import { granted } from "@/tests/support/writers/workspaces";
import { barriers } from "../support/browser/axe";
import { person, saved, shownId, text, titleBox, writable } from "../support/person";
import type { Person } from "../support/person";
import { sharedDocument } from "../support/shared-document";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
let ana: Person;
let ben: Person;
let path: string;

beforeAll(async () => {
  browser = await sharedBrowser();
  ({ ana, ben, path } = await sharedDocument(browser, {
    title: "Tides",
    begun: "Low water at noon.",
    ended: "\nHigh water at six.",
  }));
});

/** The hash of the block that begins with these words, as the log has it. */
async function hashOf({ client, page }: Person, words: string): Promise<string> {
  const fold = new ConfirmedDocument(null);
  for (const row of await supabaseStore(client).read(shownId(page), 0)) fold.integrate(row);
  for (const block of fold.doc.getXmlFragment("default").toArray())
    if (block instanceof Y.XmlElement && block.toString().includes(words) && block._item)
      return `#${hashOfBlock(block._item.id.client, block._item.id.clock)}`;
  throw new Error(`no block says ${words}`);
}

const topOf = (page: Page, words: string) =>
  page
    .getByText(words, { exact: true })
    .filter({ visible: true })
    .evaluate((element) => Math.round(element.getBoundingClientRect().top));

describe("a link to a block", () => {
  it("[LINK-1] scrolls to the block and marks it, even while others write above", async () => {
    const hash = await hashOf(ana, "High water");
    await ben.page.goto("about:blank");
    await ben.page.setViewportSize({ width: 1280, height: 400 });
    await ben.page.goto(`${path}${hash}`);
    await expect.poll(() => topOf(ben.page, "High water at six.")).toBeLessThan(400);
    const marked = () => ben.page.evaluate(() => CSS.highlights.has("linked-block"));
    await expect.poll(marked).toBe(true);
    await text(ana.page).click();
    await ana.page.keyboard.press("Control+Home");
    await ana.page.keyboard.type("First of all, the tides.\n");
    await text(ben.page).getByText("First of all").waitFor();
    expect(await marked()).toBe(true);
    await ben.page.mouse.wheel(0, -50);
    await expect.poll(marked).toBe(false);
    expect(await hashOf(ana, "High water")).toBe(hash);
  });

  it("[LINK-2] says who deleted its block, and leads to when it stood", async () => {
    const hash = await hashOf(ana, "High water");
    await writable(ana.page).click();
    await ana.page.keyboard.press("Control+Home");
    // Far below what a window shows.
    await ana.page.keyboard.type("\n".repeat(40));
    await ana.page.keyboard.press("Control+End");
    await ana.page.keyboard.press("Shift+Home");
    await ana.page.keyboard.press("Backspace");
    await ana.page.keyboard.press("Backspace");
    await saved(ana.page);
    await ben.page.goto("about:blank");
    await ben.page.setViewportSize({ width: 1280, height: 400 });
    await ben.page.goto(`${path}${hash}`);
    await ben.page
      .getByText(/no longer in the text: Ana.? deleted it (just now|today at|yesterday at)/)
      .waitFor();
    expect(await barriers(ben.page)).toEqual([]);
    await ben.page.getByRole("button", { name: "Go to when it stood" }).click();
    await ben.page.waitForURL(/\?at=\d+/);
    const isInView = async () => {
      const top = await topOf(ben.page, "High water at six.");
      return top > 0 && top < 400;
    };
    await expect.poll(isInView).toBe(true);
    const { search } = new URL(ben.page.url());
    await ben.page.goto("about:blank");
    await ben.page.goto(`${path}${search}${hash}`);
    await expect.poll(isInView).toBe(true);
  });

  it("[LINK-3] says that its block is not in the document", async () => {
    await ben.page.goto("about:blank");
    await ben.page.goto(`${path}#7-7`);
    const sentence = ben.page.getByText("is not in this document");
    await sentence.waitFor();
    await ben.page.getByRole("button", { name: "Dismiss" }).click();
    await sentence.waitFor({ state: "detached" });
  });
});

/** A document with this title in a person's own workspace. */
async function titled({ client, workspace }: Person, title: string): Promise<string> {
  const id = randomUUID();
  const body = { workspaceId: workspace, title };
  granted(
    await supabaseStore(client).append(id, 0, [
      { id: randomUUID(), type: "document.created", body },
    ]),
  );
  return id;
}

const list = (page: Page) => page.getByRole("listbox", { name: "Link to document" });
const options = (page: Page) => list(page).getByRole("option");
const links = (page: Page) => text(page).locator("a[data-document]");
const atEnd = async (page: Page) => {
  await writable(page).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.press("Enter");
};

describe("a link to a document", () => {
  it("[LINK-14] is made with [[ by keyboard, and its list passes axe", async () => {
    const budget = await titled(ana, "Budget 2027");
    const { page } = ana;
    await page.goto(path);
    await atEnd(page);
    await page.keyboard.type("The deposits are in [[");
    await list(page).waitFor();
    await page.keyboard.type("bdgt");
    await expect
      .poll(() => options(page).allInnerTexts())
      .toEqual(["Budget 2027", "New document “bdgt”"]);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      // The page around the text has faded while a person types.
      expect(await barriers(page, "main")).toEqual([]);
    }
    const chosen = () => text(page).getAttribute("aria-activedescendant");
    expect(await chosen()).toBe(await options(page).first().getAttribute("id"));
    await page.keyboard.press("ArrowDown");
    await expect.poll(chosen).toBe("link-new");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.keyboard.type(". See @");
    await list(page).waitFor();
    await page.keyboard.press("Escape");
    await list(page).waitFor({ state: "detached" });
    await page.keyboard.type("home.");
    await expect
      .poll(() => text(page).locator("p").last().innerText())
      .toBe("The deposits are in Budget 2027. See @home.");
    expect(await links(page).getAttribute("href")).toBe(`/d/${budget}`);
    await saved(page);
  });

  it("[LINK-11] [LINK-12] follows renames and the trash for every reader", async () => {
    await ben.page.goto(path);
    const link = links(ben.page).first();
    await expect.poll(() => link.innerText()).toBe("Budget 2027");
    await ana.page.goto((await links(ana.page).first().getAttribute("href")) ?? "");
    await titleBox(ana.page).fill("Budget of the library");
    await expect.poll(() => link.innerText()).toBe("Budget of the library");
    await ana.page.getByRole("button", { name: "More", exact: true }).click();
    await ana.page.getByRole("menuitem", { name: "Move to trash" }).click();
    await expect.poll(() => link.innerText()).toBe("Budget of the library (in the trash)");
    await ana.page.goto(path);
    await writable(ana.page).waitFor();
  });

  it("[LINK-11] hides the title of a document that its reader may not see", async () => {
    const secret = await titled(await person(browser, "Carol"), "Canary 4711");
    await atEnd(ana.page);
    await ana.page.evaluate((id) => {
      const data = new DataTransfer();
      data.setData("text/html", `<p>Also <a data-document="${id}">Canary 0815</a>.</p>`);
      document
        .getElementById("text")
        ?.dispatchEvent(
          new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
        );
    }, secret);
    await expect.poll(() => links(ana.page).last().innerText()).toBe("Document you can’t open");
    await saved(ana.page);
    await ben.page.reload();
    await expect.poll(() => links(ben.page).last().innerText()).toBe("Document you can’t open");
    const html = await (await ben.page.request.get(path)).text();
    expect(html).toContain("Document you can’t open");
    expect(html).toContain("Budget of the library (in the trash)");
    expect(html).not.toContain("Canary");
    expect(await links(ben.page).last().getAttribute("href")).toBeNull();
  });

  it("[LINK-15] [LINK-20] opens within the page, and is made from an address", async () => {
    const rota = await titled(ana, "Rota");
    const { page } = ana;
    await page.reload();
    await atEnd(page);
    // The code that recognises addresses loads once the text can be edited.
    await page.keyboard.type("[[");
    await list(page).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    const address = new URL(`/d/${rota}`, page.url()).href;
    await page.keyboard.type(`See ${address} `);
    await expect.poll(() => links(page).last().innerText()).toBe("Rota");
    await page.keyboard.press("Control+z");
    await expect.poll(() => text(page).locator("p").last().innerText()).toContain(`See ${address}`);
    await page.keyboard.press("Control+y");
    await expect.poll(() => links(page).last().innerText()).toBe("Rota");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === `/d/${rota}`);
    await writable(page).waitFor();
  });

  it("[LINK-30] [LINK-32] is listed on its target, in the player as of the revision shown", async () => {
    const { page } = ana;
    const rota = page.url();
    await titleBox(page).fill("Rota of May");
    await saved(page);
    const linked = page.getByRole("region", { name: "Linked here" });
    // The service derives links within some seconds, later on a busy machine.
    const linking = () => linkingDocuments(ana.client, shownId(page), null);
    await expect.poll(linking, { timeout: derivedWithin }).not.toHaveLength(0);
    await page.goto(rota);
    await linked.waitFor();
    const told = "Tides\nSee Rota of May";
    await expect.poll(() => linked.getByRole("listitem").first().innerText()).toContain(told);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole("button", { name: "History", exact: true }).click();
    const moment = page.getByRole("slider", { name: "Moment" });
    await moment.waitFor();
    await linked.waitFor();
    await moment.press("Home");
    await linked.waitFor({ state: "detached" });
    await page.goto(rota);
    await linked.getByRole("link", { name: "Tides" }).click();
    await page.waitForURL((url) => url.pathname === path && url.hash !== "");
    await text(page).getByText("See ").first().waitFor();
  });
});
