import type { Browser, Page } from "playwright";
import sharp from "sharp";
import { beforeAll, expect, it } from "vitest";
import { newDocument, person, saved, text, writable } from "../support/person";
import type { Person } from "../support/person";
import { past, revisionSlider } from "../support/player";
import { sharedBrowser } from "../support/browser/shared-browser";

/** Three restores, each undone; `RESTORES=50` for more. */
const restores = Number(process.env["RESTORES"] ?? 3);

let browser: Browser;
let ana: Person;

beforeAll(async () => {
  browser = await sharedBrowser();
  ana = await person(browser, "Ana");
});

/** The share of pixels at the start of a text that differ from the most frequent colour. */
async function inkOf(page: Page): Promise<number> {
  const clip = { x: 300, y: 60, width: 700, height: 500 };
  const pixels = await sharp(await page.screenshot({ clip }))
    .greyscale()
    .raw()
    .toBuffer();
  const counts = new Map<number, number>();
  for (const value of pixels) counts.set(value, (counts.get(value) ?? 0) + 1);
  return 1 - Math.max(...counts.values()) / pixels.length;
}

/** A blank page has none, and a title alone has ten times as much. */
const leastInk = 0.001;

it("[EDIT-57] a long text restored to a nearly empty moment appears at once, as does its undo", async () => {
  const { page } = ana;
  await newDocument(ana, "Long");
  await writable(page).click();
  await page.keyboard.type("Begun. ");
  await saved(page);
  await text(page).evaluate((element) => {
    const data = new DataTransfer();
    const paragraph = "has some words in it ".repeat(12);
    const paragraphs = Array.from({ length: 200 }, (_, nth) => `Paragraph ${nth} ${paragraph}`);
    data.setData("text/plain", paragraphs.join("\n\n"));
    element.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
    );
  });
  await saved(page);
  for (let restore = 0; restore < restores; restore += 1) {
    await page.getByRole("button", { name: "History" }).click();
    await revisionSlider(page).focus();
    await page.keyboard.press("Home");
    await expect.poll(() => past(page).innerText()).not.toContain("Paragraph 1 ");
    await page.getByRole("button", { name: /^Restore/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
    await past(page).waitFor({ state: "detached" });
    const undo = page.getByRole("button", { name: "Undo" });
    await undo.waitFor();
    // A pointer over the notice stops its timer; a real one might draw the page again.
    await page.getByRole("region", { name: /^Notices/ }).dispatchEvent("pointermove");
    await expect.poll(() => text(page).innerText()).not.toContain("Paragraph 1 ");
    await expect.poll(() => inkOf(page)).toBeGreaterThan(leastInk);
    await undo.click();
    await expect.poll(() => text(page).innerText()).toContain("Paragraph 199 ");
    await expect.poll(() => inkOf(page)).toBeGreaterThan(leastInk);
    await saved(page);
  }
});
