import type { Browser } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { bringIn } from "@/tests/support/writers/writers";
import { newDocument, person, saved, text, titleBox, writable } from "../support/person";
import type { Person } from "../support/person";
import { expectRecorded } from "../support/recorded";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
let ana: Person;
let ben: Person;
let path: string;

beforeAll(async () => {
  browser = await sharedBrowser();
  ana = await person(browser, "Ana");
  ben = await person(browser, "Ben");
  const { workspace } = ana;
  path = await newDocument(ana, "Minutes of the harbour board");
  await bringIn(ana, ben, workspace, "editor");
  await ben.page.goto(path);
  await writable(ben.page).waitFor();
});

/** The words of the text alone: a remote caret contains its owner's name. */
const shown = (who: Person) =>
  text(who.page).evaluate((element) => {
    const copy = element.cloneNode(true) as HTMLElement;
    for (const caret of copy.querySelectorAll(".caret")) caret.remove();
    return [...copy.children].map((block) => block.textContent).join("\n");
  });

describe("two people in one document", () => {
  it("[WRITE-1] each person sees the other's typing, and both end with the same text", async () => {
    await text(ana.page).click();
    await ana.page.keyboard.type("Ana opens the meeting.");
    await ana.page.keyboard.press("Enter");
    await expect.poll(() => shown(ben)).toContain("Ana opens the meeting.");
    await text(ben.page).click();
    await ben.page.keyboard.press("Control+End");
    await Promise.all([
      ben.page.keyboard.type("Ben counts those present. ", { delay: 15 }),
      (async () => {
        await ana.page.keyboard.press("Control+Home");
        await ana.page.keyboard.type("Draft. ", { delay: 15 });
      })(),
    ]);
    await expectRecorded(ana, ben);
    expect(await shown(ana)).toContain("Draft. Ana opens the meeting.");
    expect(await shown(ana)).toContain("Ben counts those present.");
  });

  it("[WRITE-2] each person here is listed once by name, even with two windows", async () => {
    const people = ana.page.getByRole("list", { name: "People here" });
    await expect.poll(() => people.getByRole("listitem").count()).toBe(2);
    const second = await ben.context.newPage();
    await second.goto(path);
    await text(second).waitFor();
    await saved(second);
    await expect.poll(() => people.getByRole("listitem").count()).toBe(2);
    await second.close();
  });

  it("[WRITE-3] [EDIT-8] the other person’s caret has their name", async () => {
    await text(ben.page).click();
    await ben.page.keyboard.type("!");
    await ana.page.locator('.caret [data-name="Ben"]').first().waitFor({ state: "attached" });
  });

  it("[WRITE-4] undo takes back one’s own edits alone", async () => {
    await text(ana.page).click();
    await ana.page.keyboard.press("Control+End");
    await ana.page.keyboard.type("regretted");
    await expect.poll(() => shown(ben)).toContain("regretted");
    await text(ben.page).click();
    await ben.page.keyboard.press("Control+Home");
    await ben.page.keyboard.type("Kept: ");
    await expect.poll(() => shown(ana)).toContain("Kept: ");
    await text(ana.page).focus();
    await ana.page.keyboard.press("Control+z");
    await expect.poll(() => shown(ben)).not.toContain("regretted");
    expect(await shown(ben)).toContain("Kept: ");
    await expectRecorded(ana, ben);
  });

  it("[WRITE-7] a caret stays where its owner put it when another’s letter arrives", async () => {
    await writable(ana.page).focus();
    for (let round = 0; round < 3; round += 1) {
      await ana.page.keyboard.press("Control+End");
      await saved(ana.page);
      // While the page handles the key, Ben's letter is queued before it: it arrives before the
      // browser reports the moved caret.
      await ana.page.evaluate(() =>
        document.addEventListener(
          "keydown",
          () => {
            for (const until = performance.now() + 400; performance.now() < until;);
          },
          { once: true, capture: true },
        ),
      );
      await Promise.all([
        ana.page.keyboard.press("Control+Home"),
        ben.page.keyboard.press(String(round)),
      ]);
      await ana.page.keyboard.type(`first ${round}, `);
      await expect.poll(() => shown(ana)).toMatch(new RegExp(`^first ${round}, `));
    }
    for (const digit of ["0", "1", "2"]) await expect.poll(() => shown(ana)).toContain(digit);
    await expectRecorded(ana, ben);
  });

  it("[WRITE-5] a rename reaches everyone", async () => {
    await titleBox(ana.page).fill("Minutes, 21 November");
    await titleBox(ana.page).press("Enter");
    await expect
      .poll(() =>
        titleBox(ben.page).evaluate((box) =>
          "value" in box ? String(box.value) : box.textContent,
        ),
      )
      .toBe("Minutes, 21 November");
  });

  it(
    "[WRITE-5] a title is kept when its page is left right after the last letter, without a " +
      "composition",
    async () => {
      const { page } = ben;
      await newDocument(ben);
      const names = () => titleBox(page).innerText();
      const renames: string[] = [];
      page.on("request", (request) => {
        const sent = request.url().includes("append_events") ? (request.postData() ?? "") : "";
        if (sent.includes("document.renamed")) renames.push(sent);
      });
      await titleBox(page).focus();
      const keyboard = await ben.context.newCDPSession(page);
      await keyboard.send("Input.imeSetComposition", {
        text: "にほ",
        selectionStart: 2,
        selectionEnd: 2,
      });
      await expect.poll(names).toBe("にほ");
      const begun = Date.now();
      // Longer than the pause after which a title is saved.
      await expect.poll(() => Date.now() - begun).toBeGreaterThan(1_200);
      expect(renames).toEqual([]);
      await keyboard.send("Input.insertText", { text: "日本 2026" });
      await page.goBack();
      await page.getByRole("link", { name: "日本 2026" }).first().waitFor();
      expect(renames.join()).not.toContain("にほ");
      await page.goto(path);
      await writable(page).waitFor();
    },
  );

  it("[WRITE-5] [STREAM-12] a title is kept when its page closes while the previous one is unanswered", async () => {
    const page = await ben.context.newPage();
    // The first request is never sent, as when a closing page drops it.
    await page.addInitScript(() => {
      const { fetch } = window;
      window.fetch = (input, init) => {
        const isFirst =
          String(init?.body).includes("document.renamed") && !Reflect.has(window, "unanswered");
        if (!isFirst) return fetch(input, init);
        Reflect.set(window, "unanswered", true);
        return new Promise(() => undefined);
      };
    });
    await page.goto(await newDocument(ben));
    await titleBox(page).click();
    await page.keyboard.type("Harbour");
    await page.waitForFunction(() => Reflect.has(window, "unanswered"));
    await page.keyboard.type(" dues");
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => titleBox(ben.page).innerText()).toBe("Harbour dues");
    await ben.page.goto(path);
    await writable(ben.page).waitFor();
  });

  it("[WRITE-6] [EDIT-12] the server’s HTML has the text before any script runs", async () => {
    const reader = await ben.context.browser()!.newContext({
      baseURL: new URL(ben.page.url()).origin,
      javaScriptEnabled: false,
      storageState: await ben.context.storageState(),
    });
    const page = await reader.newPage();
    await page.goto(path);
    expect(await page.locator("body").innerText()).toContain("Ana opens the meeting.");
    expect(await page.getByRole("textbox", { name: "Document text" }).count()).toBe(0);
    await reader.close();
  });

  it.each(["Control+Alt+1", "Control+Shift+8"])(
    "[WRITE-4] undo reverts what %s made of a line, and keeps another person's later words in it",
    async (key) => {
      const made = await newDocument(ana);
      await ben.page.goto(made);
      await writable(ben.page).waitFor();
      await text(ana.page).click();
      await ana.page.keyboard.type("Mine");
      await ana.page.keyboard.press(key);
      await text(ben.page).locator("h2, li, blockquote, pre").getByText("Mine").click();
      await ben.page.keyboard.press("End");
      await ben.page.keyboard.type(" and yours");
      await expect.poll(() => shown(ana)).toContain("Mine and yours");
      while ((await shown(ana)).includes("Mine")) await ana.page.keyboard.press("Control+z");
      for (const who of [ana, ben]) await expect.poll(() => shown(who)).toContain(" and yours");
      await expectRecorded(ana, ben);
      expect(await shown(ana)).not.toContain("Mine");
    },
  );
});
