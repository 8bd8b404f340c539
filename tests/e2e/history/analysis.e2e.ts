import type { Browser, Locator } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { bringIn } from "@/tests/support/writers/writers";
import { barriers } from "../support/browser/axe";
import { newDocument, person, saved, text, writable } from "../support/person";
import type { Person } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
let ana: Person;
let ben: Person;
let workspace: string;

const pasted = "A note that came from somewhere else, in one piece.";

beforeAll(async () => {
  browser = await sharedBrowser();
  ana = await person(browser, "Ana");
  ben = await person(browser, "Ben");
  ({ workspace } = ana);
  const path = await newDocument(ana, "How we correct");
  await text(ana.page).click();
  await ana.page.keyboard.type("We correct promptly");
  await saved(ana.page);
  await bringIn(ana, ben, workspace, "editor");
  await ben.page.goto(path);
  await writable(ben.page).click();
  await ben.page.keyboard.press("Control+End");
  for (let letter = 0; letter < " promptly".length; letter++)
    await ben.page.keyboard.press("Backspace");
  await ben.page.keyboard.type(" openly.");
  await ben.page.keyboard.press("Enter");
  await ben.page.keyboard.insertText(pasted);
  await saved(ben.page);
  await text(ana.page).getByText(pasted).waitFor();
});

const panel = (who: Person) => who.page.getByRole("complementary", { name: "Statistics" });
const past = (who: Person) => who.page.getByRole("region", { name: "Document at this moment" });
const show = (who: Person, view: string) => panel(who).getByRole("radio", { name: view }).check();

describe("understanding how a text was written", () => {
  it("[UNDERSTAND-10] shows on the live page who wrote each passage, and how, in the text and beside it", async () => {
    await ana.page.getByRole("button", { name: "More", exact: true }).click();
    await ana.page.getByRole("menuitem", { name: "Authors" }).click();
    const authors = panel(ana).getByRole("region", { name: "Authors" });
    await authors.getByRole("row", { name: /Ana/ }).first().waitFor();
    await authors.getByRole("row", { name: /Ben/ }).first().waitFor();
    const passages = () => authors.getByRole("listitem").allInnerTexts();
    await expect
      .poll(async () =>
        (await passages()).some((passage) => /^Ben.*inserted in one go/s.test(passage)),
      )
      .toBe(true);
    expect(
      (await passages()).some(
        (passage) => passage.includes("typed") && passage.includes("We correct"),
      ),
    ).toBe(true);
    const washed = text(ana.page).locator(".written");
    await expect.poll(() => washed.allInnerTexts()).toEqual(["We correct", " openly.", pasted]);
  });

  it("[EDIT-54] the panel uses the margin's space, and no line beside it moves", async () => {
    const { page } = ana;
    const short = new URL(page.url()).pathname;
    const size = page.viewportSize();
    await newDocument(ana, "The long letter");
    await text(page).click();
    await page.keyboard.insertText("We thank everybody who wrote to us about it. ".repeat(12));
    await saved(page);
    const lines = (of: Locator) =>
      of.evaluate((element) => {
        const words = document.createRange();
        words.selectNodeContents(element);
        return [...words.getClientRects()].map((line) => line.toJSON());
      });
    /** The position of the scroll bar's end, and how far the text scrolled beneath it. */
    const scroller = () =>
      page.locator("main:visible").evaluate((main) => ({
        end: main.getBoundingClientRect().right,
        moved: main.scrollLeft,
      }));
    const close = panel(ana).getByRole("button", { name: "Close statistics" });
    const stays = async (words: Locator, open: () => Promise<void>) => {
      for (const width of [768, 1024, 1200, 1280, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        const alone = await lines(words);
        expect(alone.length).toBeGreaterThan(6);
        await open();
        await close.waitFor();
        expect(await lines(words), `at ${width} px`).toEqual(alone);
        const panelBox = await panel(ana).boundingBox();
        expect(await scroller(), `at ${width} px`).toEqual({ end: panelBox?.x, moved: 0 });
        await close.click();
        await panel(ana).waitFor({ state: "detached" });
      }
    };
    await stays(text(page), async () => {
      await page.getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole("menuitem", { name: "Search history" }).click();
    });
    await page.getByRole("button", { name: "History" }).click();
    const insight = page.getByRole("button", { name: "Statistics", exact: true });
    await insight.waitFor();
    await past(ana).getByText("We thank everybody").first().waitFor();
    await stays(page.locator("#past-text"), () => insight.click());
    // A comparison uses the full width of its page, and gets narrower instead.
    await insight.click();
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    const end = page.getByRole("button", { name: "Close the comparison" });
    for (const width of [768, 1280, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      await expect
        .poll(
          async () => {
            const [button, beside] = [await end.boundingBox(), await panel(ana).boundingBox()];
            return button && beside && button.x + button.width <= beside.x;
          },
          { message: `compared at ${width} px` },
        )
        .toBe(true);
    }
    await close.click();
    if (size) await page.setViewportSize(size);
    await page.goto(short);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Authors" }).click();
    await text(page).locator(".written").first().waitFor();
  });

  it("[UNDERSTAND-10] shows a new letter’s author at once", async () => {
    await text(ana.page).getByText(pasted).click();
    await ana.page.keyboard.press("End");
    await ana.page.keyboard.type(" Mine.");
    await expect.poll(() => text(ana.page).locator(".written").allInnerTexts()).toContain(" Mine.");
    await saved(ana.page);
  });

  it("[UNDERSTAND-10] colours a long text where it is visible, and where it is scrolled to", async () => {
    const { page } = ana;
    const short = new URL(page.url()).pathname;
    await newDocument(ana, "The long minutes");
    await text(page).click();
    await text(page).evaluate((element) => {
      const clipboardData = new DataTransfer();
      const lines = Array.from({ length: 300 }, (_, line) => `Item ${line} was agreed upon.`);
      clipboardData.setData("text/plain", lines.join("\n"));
      element.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
      );
    });
    await saved(page);
    await text(page).getByText("Item 0 was").scrollIntoViewIfNeeded();
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Authors" }).click();
    const isWashed = (item: number) =>
      text(page).locator(".written").getByText(`Item ${item} was`, { exact: false }).count();
    await expect.poll(() => isWashed(0)).toBe(1);
    expect(await isWashed(299)).toBe(0);
    await text(page).getByText("Item 299 was").scrollIntoViewIfNeeded();
    await expect.poll(() => isWashed(299)).toBe(1);
    await expect.poll(() => isWashed(0)).toBe(0);
    await page.goto(short);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Authors" }).click();
    await text(page).locator(".written").first().waitFor();
  });

  it("[UNDERSTAND-22] leaves the focus in the text once the history has been read", async () => {
    const { page } = ana;
    await page.reload();
    await writable(page).waitFor();
    let release = () => {};
    const held = new Promise<void>((settle) => (release = settle));
    const reading = /rpc\/read_events|\/segments$/;
    await page.route(reading, (route) => held.then(() => route.continue()));
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Authors" }).click();
    await panel(ana).getByText("Reading the history").waitFor();
    await expect
      .poll(() => panel(ana).evaluate((aside) => aside.contains(document.activeElement)))
      .toBe(true);
    await text(page).getByText("We correct").click();
    release();
    await panel(ana).getByRole("row", { name: /Ana/ }).first().waitFor();
    // If the focus were taken, it would be taken by the next frame.
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    expect(await writable(page).evaluate((editor) => editor === document.activeElement)).toBe(true);
    await page.unroute(reading);
  });

  it("[UNDERSTAND-10] says by keyboard who wrote the passage at the caret", async () => {
    const card = ana.page.getByRole("group", { name: "Who wrote this passage" });
    await text(ana.page).getByText("We correct").click();
    await ana.page.keyboard.press("Home");
    const way = card.getByRole("button", { name: "Go to this moment" });
    const isAtTheWay = async () =>
      (await way.count()) === 1 &&
      (await way.evaluate((button) => button === document.activeElement));
    // The card for the words under the pointer may be there before, without the focus.
    await expect
      .poll(async () => {
        if (!(await isAtTheWay())) await ana.page.keyboard.press("Alt+F9");
        return isAtTheWay();
      })
      .toBe(true);
    expect(await card.innerText()).toMatch(/Ana.*typed/s);
    await ana.page.keyboard.press("Escape");
    await card.waitFor({ state: "detached" });
    await expect
      .poll(() => writable(ana.page).evaluate((editor) => editor === document.activeElement))
      .toBe(true);
  });

  it("[UNDERSTAND-11] shows the history of the selected words, with each step leading to its revision", async () => {
    await text(ana.page).getByText("We correct").click({ clickCount: 3 });
    await ana.page.getByRole("button", { name: "Passage history" }).click();
    const life = panel(ana).getByRole("region", { name: "Passage history" }).getByRole("listitem");
    await expect
      .poll(() => life.allInnerTexts())
      .toEqual([
        expect.stringMatching(/Ana wrote.*We correct promptly/s),
        expect.stringMatching(/Ben reworded.*promptly.*openly/s),
      ]);
    await life.first().getByRole("button").click();
    await ana.page.waitForURL(/[?&]at=\d+/);
    await expect.poll(() => past(ana).innerText()).toContain("We correct promptly");
  });

  it("[UNDERSTAND-3] strikes out leaving text, outside the text's content, and names the writer", async () => {
    const slider = ana.page.getByRole("slider", { name: "Moment" });
    await slider.focus();
    await slider.press("End");
    const struck = past(ana).locator("del [data-text]");
    const writer = past(ana).locator(".caret > span");
    const shown = async () =>
      (await struck.count()) > 0 &&
      (await writer.count()) > 0 &&
      (await writer.getAttribute("data-name")) === "Ben";
    const revision = () => ana.page.locator("#past-text").getAttribute("data-revision");
    // Checked at each step: deleted words are visible in a few of them.
    for (let step = 0; step < 120 && !(await shown()); step++) {
      const before = await revision();
      if (before === "0") break;
      await slider.press(",");
      await expect.poll(revision).not.toBe(before);
    }
    expect(await shown()).toBe(true);
    expect(await struck.first().getAttribute("data-text")).not.toBe("");
    expect(await struck.first().innerText()).toBe("");
  });

  it("[UNDERSTAND-12] finds deleted words, goes to when they stood, and restores them for everybody", async () => {
    await show(ana, "Search");
    await panel(ana).getByRole("searchbox", { name: "Search history" }).fill("PROMPT");
    const found = panel(ana).getByRole("list", { name: "Found" }).getByRole("listitem");
    await expect
      .poll(() => found.allInnerTexts())
      .toEqual([expect.stringMatching(/Deleted by Ben.*written by Ana.*promptly/s)]);
    await found.getByRole("button", { name: "Go to when it stood" }).click();
    await expect.poll(() => past(ana).innerText()).toContain("We correct promptly");
    await found.getByRole("button", { name: "Bring it back" }).click();
    const asked = ana.page.getByRole("dialog", { name: "Bring this passage back?" });
    await expect
      .poll(() => asked.getByRole("region", { name: "What will change" }).innerText())
      .toContain("promptly");
    expect(await text(ben.page).innerText()).toContain("We correct openly.");
    await asked.getByRole("button", { name: "Bring back" }).click();
    const undo = ana.page.getByRole("button", { name: "Undo" }).last();
    // A toast stays while hovered.
    await undo.hover();
    await text(ben.page).getByText("We correct promptly").waitFor();
    await undo.click();
    await text(ben.page).getByText("We correct openly.").waitFor();
    await ana.page.getByRole("button", { name: "History" }).click();
    await ana.page.getByRole("slider", { name: "Moment" }).waitFor();
  });

  it(
    "[ACT-11] restores words selected in the past over their later version by keyboard, and " +
      "undoes it",
    async () => {
      const slider = ana.page.getByRole("slider", { name: "Moment" });
      await slider.focus();
      await slider.press("Home");
      for (
        let step = 0;
        step < 60 && !(await past(ana).innerText()).includes("We correct promptly");
        step++
      )
        await slider.press(".");
      const offer = past(ana)
        .locator('xpath=following::button[normalize-space()="Bring this passage back"]')
        .first();
      expect(await offer.count()).toBe(0);
      await past(ana)
        .getByText("We correct promptly")
        .evaluate((block) => {
          const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
          const range = document.createRange();
          for (
            let node = walker.nextNode(), left = "We correct ".length;
            node !== null;
            node = walker.nextNode()
          ) {
            const { length } = node.textContent ?? "";
            if (left >= 0 && left < length) range.setStart(node, left);
            range.setEnd(node, length);
            left -= length;
          }
          getSelection()?.removeAllRanges();
          getSelection()?.addRange(range);
        });
      await offer.waitFor();
      await past(ana).focus();
      await ana.page.keyboard.press("Tab");
      await ana.page.keyboard.press("Enter");
      const asked = ana.page.getByRole("dialog", { name: "Bring this passage back?" });
      await expect
        .poll(() => asked.getByRole("region", { name: "What will change" }).innerText())
        .toMatch(/promptly[^]*openly|openly[^]*promptly/);
      await asked.getByRole("button", { name: "Bring back" }).click();
      const undo = ana.page.getByRole("button", { name: "Undo" }).last();
      // A toast stays while hovered.
      await undo.hover();
      await text(ben.page).getByText("We correct promptly").waitFor();
      await undo.click();
      await text(ben.page).getByText("We correct openly.").waitFor();
      await ana.page.getByRole("button", { name: "History" }).click();
      await slider.waitFor();
    },
  );

  it("[UNDERSTAND-11] shows the history of words selected in the past beside the panel", async () => {
    const slider = ana.page.getByRole("slider", { name: "Moment" });
    await show(ana, "Passage");
    await slider.press("End");
    await past(ana).getByText(pasted).click({ clickCount: 3 });
    const life = panel(ana).getByRole("region", { name: "Passage history" }).getByRole("listitem");
    await expect
      .poll(async () => (await life.allInnerTexts())[0])
      .toMatch(/^Ben inserted in one go.*A note that came from somewhere else/s);
  });

  it("[UNDERSTAND-13] summarises the history in sentences, accessible in every view", async () => {
    await show(ana, "Account");
    const account = panel(ana).getByRole("region", { name: "Summary of changes" });
    await expect
      .poll(() => account.innerText())
      .toMatch(/Ana began the document.*Ben added \d+ words/s);
    for (const [view, colorScheme] of [
      ["Authors", "light"],
      ["Passage", "dark"],
      ["Search", "light"],
      ["Account", "dark"],
    ] as const) {
      await show(ana, view);
      await ana.page.emulateMedia({ colorScheme });
      expect(await barriers(ana.page), `${view}, ${colorScheme}`).toEqual([]);
    }
    await ana.page.setViewportSize({ width: 320, height: 700 });
    await expect
      .poll(() => ana.page.evaluate(() => document.documentElement.scrollWidth))
      .toBe(320);
    await expect.poll(async () => (await panel(ana).boundingBox())?.width).toBe(320);
    // It covers none of the text beside it.
    for (const width of [768, 1024, 1280, 1440]) {
      await ana.page.setViewportSize({ width, height: 700 });
      await expect
        .poll(
          async () => {
            const words = await ana.page.locator("#past-text").boundingBox();
            const beside = await panel(ana).boundingBox();
            return words && beside && words.width > 280 && words.x + words.width <= beside.x;
          },
          { message: `at ${width} px` },
        )
        .toBe(true);
    }
    await ana.page.keyboard.press("Escape");
    await panel(ana).waitFor({ state: "detached" });
  });

  it("[UNDERSTAND-14] tells a returning reader what others changed, and plays it", async () => {
    const path = new URL(ben.page.url()).pathname;
    await ben.page.getByRole("button", { name: "More", exact: true }).click();
    await ben.page.getByRole("menuitem", { name: "Search history…" }).click();
    await expect
      .poll(() =>
        panel(ben)
          .getByRole("searchbox")
          .evaluateAll(([field]) => field === document.activeElement),
      )
      .toBe(true);
    await ben.page.goto("/");
    await ana.page.setViewportSize({ width: 1280, height: 800 });
    await ana.page.getByRole("button", { name: /^Back to live/ }).click();
    await text(ana.page).getByText("We correct openly.").click();
    await ana.page.keyboard.press("End");
    await ana.page.keyboard.type(" Always and everywhere.");
    await saved(ana.page);
    await ben.page.goto(path);
    const news = ben.page.getByText(/Since you were last here/);
    await expect.poll(() => news.innerText()).toMatch(/Ana wrote about 3 words/);
    await ben.page.getByRole("button", { name: "What changed" }).click();
    await expect
      .poll(() => panel(ben).getByRole("region", { name: "Summary of changes" }).innerText())
      .toMatch(/Ana added 3 words/);
    await ben.page.getByRole("button", { name: "Play it in 20 seconds" }).click();
    await ben.page.waitForURL(/from=\d+&to=\d+/);
    await ben.page.getByRole("slider", { name: "Moment" }).waitFor();
  });

  it("[UNDERSTAND-15] plays the history of the workspace", async () => {
    await ana.page.goto(`/w/${workspace}/activity`);
    await ana.page.getByRole("button", { name: "Replay" }).click();
    const replay = ana.page.getByRole("region", { name: "Replay of the workspace" });
    const slider = replay.getByRole("slider", { name: "Moment of the workspace" });
    await slider.focus();
    const then = (what: string) => replay.getByRole("list", { name: what });
    await expect.poll(() => then("People then").innerText()).toMatch(/Ana[^]*Ben/);
    await slider.press("Home");
    await expect.poll(() => then("Documents then").innerText()).toBe("No document yet");
    expect(await then("People then").innerText()).not.toContain("Ben");
    // It stops by itself at its end, a few seconds later: a mouse would wait for frames.
    await Promise.all([
      replay.getByRole("button", { name: "Pause" }).dispatchEvent("click"),
      slider.press("Space"),
    ]);
    await replay.getByRole("button", { name: "Play" }).click();
    await expect.poll(() => then("Documents then").innerText()).toContain("How we correct");
    expect(await barriers(ana.page)).toEqual([]);
  });
});
