import type { Browser, Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { bodyOf } from "@/events/core/recorded-body";
import { supabaseStore } from "@/events/log/store";
import { landings, recordLandings } from "../support/landed-letters";
import type { Landing } from "../support/landed-letters";
import { newDocument, person, saved, titleBox, writable } from "../support/person";
import type { Person } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;

beforeAll(async () => {
  browser = await sharedBrowser();
});

/** The Han letters of some words, in the order of their code points. */
const han = (words: string) =>
  [...words].filter((letter) => /\p{Script=Han}/u.test(letter)).toSorted();

/** The Han letters of a document's text in the log. */
async function logged(who: Person, id: string): Promise<string[]> {
  const confirmed = new ConfirmedDocument(null);
  for (const row of await supabaseStore(who.client).read(id, 0)) confirmed.integrate(row);
  return han(confirmed.doc.getXmlFragment("default").toString());
}

/** A document's title in the log. */
async function loggedTitle(who: Person, id: string): Promise<string> {
  const rows = await supabaseStore(who.client).read(id, 0);
  return rows.flatMap((row) => bodyOf(row, "document.renamed")?.title ?? []).at(-1) ?? "";
}

const lettersOf = (landed: readonly Landing[]) => han(landed.map(({ letter }) => letter).join(""));

const titles = ["First", "Second"] as const;

type Hop = "link" | "back" | "forward";

/** In this order, each of them leads to the other document. */
const ways: readonly Hop[] = ["link", "back", "forward"];

/** Navigates to the other document. */
async function hop(page: Page, by: Hop, id: string): Promise<void> {
  if (by === "link") await page.locator(`[data-document="${id}"] a`).click();
  else await page.evaluate((by) => history[by](), by);
}

/** Waits until the page shows this document. */
const shown = (page: Page, id: string) =>
  page.locator(`[role="treeitem"][aria-current="page"][data-document="${id}"]`).waitFor();

/** Clicks into the text as soon as it is visible, whether or not it is an editor yet. */
async function clickAtOnce(page: Page): Promise<void> {
  const box = await page.locator("#text").boundingBox();
  if (box !== null) await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

async function twoDocuments(): Promise<{ ana: Person; ids: [string, string] }> {
  const ana = await person(browser, "Ana");
  await recordLandings(ana.page);
  const made = async (title: string) => {
    const path = await newDocument(ana, title);
    await writable(ana.page).click();
    await ana.page.keyboard.type(`${title}: `);
    await saved(ana.page);
    return path.slice("/d/".length);
  };
  return { ana, ids: [await made(titles[0]), await made(titles[1])] };
}

describe("hops between two documents while a person types", () => {
  // Each hop waits for a page, and two CPUs are shared with other tests.
  it(
    "[SYNC-6] [SYNC-2] [EDIT-26] keep each letter in the document that received it, and lose none",
    { timeout: 480_000 },
    async () => {
      const { ana, ids } = await twoDocuments();
      const { page } = ana;
      const keys = await ana.context.newCDPSession(page);
      let pressed = 0;
      let hopping = true;
      const typing = (async () => {
        for (; hopping; pressed += 1) {
          const letter = String.fromCodePoint(0x4e00 + pressed);
          await keys.send("Input.dispatchKeyEvent", { type: "keyDown", key: letter, text: letter });
          await keys.send("Input.dispatchKeyEvent", { type: "keyUp", key: letter });
          await page.waitForTimeout(10);
        }
      })();
      for (let hops = 0; hops < 30; hops += 1) {
        const id = ids[hops % 2 === 0 ? 0 : 1];
        await hop(page, ways[hops % 3] ?? "link", id);
        // The document being left is still visible, and may be clicked and edited.
        if (hops % 5 === 4) await clickAtOnce(page);
        await shown(page, id);
        await clickAtOnce(page);
        await writable(page).click();
        await page.keyboard.press("Control+End");
      }
      hopping = false;
      await typing;
      await saved(page);
      const landed = await landings(page);
      for (const [index, id] of ids.entries()) {
        const own = landed.filter(({ document }) => document === id);
        expect(own.length).toBeGreaterThan(10);
        expect(own.every(({ field }) => field === "text")).toBe(true);
        // It never shows text from before its first letter.
        const editors = own.filter(({ isEarly }) => !isEarly);
        expect(new Set(editors.map(({ words }) => words))).toEqual(new Set([titles[index]]));
        await expect.poll(() => logged(ana, id)).toEqual(lettersOf(own));
      }
      await ana.context.close();
    },
  );

  it("[DOCS-22] keep each letter in the title that received it, and lose none", async () => {
    const { ana, ids } = await twoDocuments();
    const { page } = ana;
    for (let hops = 0; hops < 12; hops += 1) {
      const id = ids[hops % 2 === 0 ? 0 : 1];
      await hop(page, ways[hops % 3] ?? "link", id);
      await shown(page, id);
      await titleBox(page).click();
      await page.keyboard.press("End");
      for (let letter = 0; letter < 3; letter += 1)
        await page.keyboard.insertText(String.fromCodePoint(0x4e00 + hops * 3 + letter));
    }
    await hop(page, "link", ids[0]);
    const landed = await landings(page);
    for (const [index, id] of ids.entries()) {
      const own = landed.filter(({ document, field }) => document === id && field === "title");
      expect(own.length).toBeGreaterThan(10);
      expect(new Set(own.map(({ words }) => words))).toEqual(new Set([titles[index]]));
      await expect.poll(async () => han(await loggedTitle(ana, id))).toEqual(lettersOf(own));
      expect((await loggedTitle(ana, id)).replace(/[^a-z]/gi, "")).toBe(titles[index]);
    }
    await ana.context.close();
  });
});
