import type { Browser, Page } from "playwright";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { bringIn } from "@/tests/support/writers/writers";
import { newDocument, person, saved, text, writable } from "../support/person";
import type { Person } from "../support/person";
import { past, revisionSlider } from "../support/player";
import { sharedBrowser } from "../support/browser/shared-browser";

const opening = "The library opens in January.";
const hours = " Ben keeps it open on Sundays.";
const closing = " Closed in August.";
const rota = "Carol looks after the rota of all volunteers.";

let browser: Browser;
let ana: Person;
let ben: Person;
let carol: Person;
let path: string;

const panel = ({ page }: Person) => page.getByRole("complementary", { name: "Statistics" });

/**
 * Types at the place that these keys lead to, and waits until the log and the other pages have it.
 */
async function write(who: Person, words: string, ...keys: string[]): Promise<void> {
  await writable(who.page).click();
  for (const key of keys) await who.page.keyboard.press(key);
  await who.page.keyboard.type(words);
  await saved(who.page);
  for (const { page } of [ana, ben, carol])
    if (page.url() !== "about:blank") await text(page).getByText(words.trim()).waitFor();
}

/** Restores the last moment whose text contains `held` and lacks `lacked`. */
async function restore({ page }: Person, held: string, lacked: string): Promise<void> {
  await page.getByRole("button", { name: "History" }).click();
  await revisionSlider(page).waitFor();
  await revisionSlider(page).focus();
  await page.keyboard.press("End");
  const isThere = async () => {
    const words = await past(page).innerText();
    return words.includes(held) && !words.includes(lacked);
  };
  for (let step = 0; step < 300 && !(await isThere()); step += 1) await page.keyboard.press(",");
  await page.getByRole("button", { name: "Restore this moment" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("region", { name: "What will change" }).waitFor();
  await dialog.getByRole("button", { name: "Restore" }).click();
  await expect.poll(() => text(page).innerText()).not.toContain(lacked);
}

async function openPanel({ page }: Person): Promise<void> {
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Authors" }).click();
}

/** The paragraphs of a text, without the names at carets. */
const paragraphs = (page: Page) =>
  text(page).evaluate((element) => {
    const copy = element.cloneNode(true);
    if (!(copy instanceof Element)) return [];
    for (const caret of copy.querySelectorAll(".caret")) caret.remove();
    return [...copy.children].map((block) => block.textContent.trimEnd());
  });

beforeAll(async () => {
  browser = await sharedBrowser();
  ana = await person(browser, "Ana");
  ben = await person(browser, "Ben");
  carol = await person(browser, "Carol");
  path = await newDocument(ana, "The library");
  await write(ana, opening);
  for (const guest of [ben, carol]) {
    await bringIn(ana, guest, ana.workspace, "editor");
    await guest.page.goto(path);
  }
  await write(ben, hours, "Control+End");
  await write(carol, rota, "Control+End", "Enter");
});

describe("authorship after two restores and an undo", () => {
  it("[ACT-3] an undone restore and a lasting one leave each word once, on every page", async () => {
    await restore(ana, "January.", "Ben");
    const undo = ana.page.getByRole("button", { name: "Undo" }).last();
    // A toast stays while hovered.
    await undo.hover();
    await undo.click();
    for (const { page } of [ana, ben, carol]) await text(page).getByText(rota).waitFor();
    await write(ben, closing, "Control+Home", "End");
    await restore(carol, rota, "Sundays. C");
    for (const { page } of [ana, ben])
      await expect.poll(() => paragraphs(page)).toEqual([`${opening}${hours}`, rota]);
  });

  it("[UNDERSTAND-20] Authors credits each word to the person who typed it, and no word to a restore", async () => {
    await openPanel(ana);
    const authors = panel(ana).getByRole("region", { name: "Authors" });
    const row = async (name: string) => {
      const cells = await authors.getByRole("row", { name }).getByRole("cell").allInnerTexts();
      return cells.slice(-4, -1).map(Number);
    };
    // Words added, words deleted, words inserted at once.
    await expect.poll(() => row("Ana")).toEqual([5, 0, 0]);
    expect(await row("Ben")).toEqual([9, 0, 0]);
    expect(await row("Carol")).toEqual([8, 0, 0]);
    const passages = await authors.getByRole("listitem").allInnerTexts();
    expect(passages).toEqual([
      expect.stringMatching(/^Ana.*typed\n“The library opens in January\.”$/s),
      expect.stringMatching(/^Ben.*typed\n“Ben keeps it open on Sundays\.”$/s),
      expect.stringMatching(/^Carol.*typed\n“Carol looks after the rota of all volunteers\.”$/s),
    ]);
  });

  it("[UNDERSTAND-26] prints Authors and Passage history after the text", async () => {
    const { page } = ana;
    const calls = await page.evaluateHandle(() => {
      const shown: string[] = [];
      window.print = () => void shown.push(document.querySelector("aside")?.innerText ?? "");
      return shown;
    });
    const edge = await panel(ana).boundingBox();
    for (const name of ["Print", "Close statistics"]) {
      const button = await panel(ana).getByRole("button", { name }).boundingBox();
      expect(button && edge && button.x + button.width <= edge.x + edge.width, name).toBe(true);
    }
    await panel(ana).getByRole("button", { name: "Print" }).click();
    await expect
      .poll(() => calls.evaluate((shown) => shown))
      .toEqual([expect.stringContaining("Ben keeps it open on Sundays.")]);
    onTestFinished(() => page.emulateMedia({ media: "screen", colorScheme: "light" }));
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ media: "print", colorScheme });
      const [words, told] = [await text(page).boundingBox(), await panel(ana).boundingBox()];
      expect(words && told && told.y >= words.y + words.height).toBe(true);
      expect(await panel(ana).getByRole("button", { name: "Print" }).isVisible()).toBe(false);
      expect(await page.getByText("Point at words").isVisible()).toBe(false);
      expect(await page.getByRole("region", { name: /Notices/ }).isVisible()).toBe(false);
      const colour = panel(ana).getByRole("listitem").first().locator("b");
      expect(await colour.evaluate((name) => getComputedStyle(name).color)).toBe("rgb(0, 0, 0)");
    }
  });

  it("[UNDERSTAND-11] Passage history lists writing, a restore and its undo in this order", async () => {
    const { page } = ana;
    await text(page).getByText("Ben keeps").click({ clickCount: 3 });
    await page.getByRole("button", { name: "Passage history" }).click();
    const life = panel(ana).getByRole("region", { name: "Passage history" }).getByRole("listitem");
    await expect
      .poll(() => life.allInnerTexts())
      .toEqual([
        expect.stringMatching(/^Ana wrote.*The library opens in January\./s),
        expect.stringMatching(/^Ben wrote.*Ben keeps it open on Sundays\./s),
        expect.stringMatching(/^Ana restored an earlier version/),
        expect.stringMatching(/^Ana took changes back/),
      ]);
  });

  it("[HISTORY-34] the player shows the restored page without marks, and says who restored what", async () => {
    const { page } = ana;
    await panel(ana).getByRole("button", { name: "Close statistics" }).click();
    await page.getByRole("button", { name: "History" }).click();
    await revisionSlider(page).focus();
    await page.keyboard.press("End");
    await expect.poll(() => past(page).innerText()).toContain(hours.trim());
    await page
      .getByText(/Carol restored the version of/)
      .first()
      .waitFor();
    expect(await past(page).locator("del").count()).toBe(0);
    await page.getByText(/Carol (deleted|wrote) “[^”]*August/).waitFor({ state: "detached" });
  });

  it("[ACT-2] “Revert all changes by Ben” removes his words alone", async () => {
    const { page } = ana;
    await revisionSlider(page).focus();
    await page.keyboard.press("Home");
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Revert all changes by…" }).press("ArrowRight");
    const people = page.getByRole("menu", { name: "Revert all changes by…" });
    await people.getByRole("menuitem", { name: "Ben" }).click();
    const dialog = page.getByRole("dialog", { name: "Revert what Ben changed?" });
    await dialog.getByRole("region", { name: "What will change" }).waitFor();
    await dialog.getByRole("button", { name: "Revert" }).click();
    for (const who of [ben, carol])
      await expect.poll(() => paragraphs(who.page)).toEqual([opening, rota]);
  });
});
