import type { Browser } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { barriers } from "../support/browser/axe";
import { saved, text, titleBox } from "../support/person";
import type { Person } from "../support/person";
import { revisionSlider, past } from "../support/player";
import { sharedDocument } from "../support/shared-document";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
let ana: Person;
let ben: Person;

beforeAll(async () => {
  browser = await sharedBrowser();
  ({ ana, ben } = await sharedDocument(browser, {
    title: "First title",
    begun: "First sentence. ",
    ended: "Second sentence.",
  }));
  await titleBox(ana.page).fill("Second title");
  await titleBox(ana.page).press("Enter");
});

describe("the history of a document", () => {
  it("[HISTORY-1] opens on the document’s own page and shows its place in time", async () => {
    await ana.page.getByRole("button", { name: "History" }).click();
    await ana.page.waitForURL(/[?&]at=\d+/);
    await revisionSlider(ana.page).waitFor();
    await expect
      .poll(() => revisionSlider(ana.page).getAttribute("aria-valuetext"))
      .toMatch(/\d\d:\d\d:\d\d, (Ana|Ben), edit [\d\s]+ of [\d\s]+/);
    await expect.poll(() => past(ana.page).innerText()).toContain("Second sentence.");
  });

  it("[EDIT-57] keeps the text behind it laid out, out of reach of pointer, focus and screen reader", async () => {
    const found = await ana.page.evaluate(() => {
      const live = document.getElementById("text");
      if (live === null) throw new Error("There is no text.");
      const { x, y, width, height } = live.getBoundingClientRect();
      const there = document.elementFromPoint(x + width / 2, y + Math.min(height, 200) / 2);
      live.focus();
      return {
        laidOut: height > 0 && width > 0,
        seen: live.checkVisibility(),
        reached: live.contains(there),
        focused: live.contains(document.activeElement),
      };
    });
    expect(found).toEqual({ laidOut: true, seen: false, reached: false, focused: false });
    expect(await text(ana.page).count()).toBe(0);
  });

  it("[EDIT-57] F6 moves between its visible landmarks, and never to the text behind it", async () => {
    await revisionSlider(ana.page).focus();
    const reached: string[] = [];
    for (let press = 0; press < 6; press += 1) {
      await ana.page.keyboard.press("F6");
      reached.push(
        await ana.page.evaluate(() => {
          const landmark = document.activeElement?.closest<HTMLElement>("[data-landmark]");
          return landmark?.checkVisibility() === true ? landmark.outerHTML.slice(0, 120) : "none";
        }),
      );
    }
    expect(reached).not.toContain("none");
    expect(reached.every((each, index) => each !== reached[index - 1])).toBe(true);
    expect(new Set(reached).size).toBeGreaterThan(2);
  });

  it("[SEGMENT-5] is derived by a worker under a policy of its own", async () => {
    const answered = ana.page.waitForResponse((response) =>
      response.url().includes("turbopack-worker"),
    );
    await ana.page.reload();
    expect((await (await answered).allHeaders())["content-security-policy"]).toBe(
      "default-src 'none'; script-src 'self'",
    );
    await revisionSlider(ana.page).waitFor();
    const [worker] = ana.page.workers();
    // It has loaded everything it needs, and sends no other requests.
    expect(await worker?.evaluate(() => typeof self.onmessage)).toBe("function");
    expect(
      await worker?.evaluate(() =>
        fetch("/icon.svg").then(
          () => "replied",
          () => "refused",
        ),
      ),
    ).toBe("refused");
  });

  it("[HISTORY-2] goes back to the beginning and forward again by keyboard", async () => {
    await revisionSlider(ana.page).focus();
    await ana.page.keyboard.press("Home");
    await expect.poll(() => past(ana.page).innerText()).not.toContain("sentence");
    await ana.page.keyboard.press("End");
    await expect
      .poll(() => past(ana.page).innerText())
      .toContain("First sentence. Second sentence.");
  });

  it("[HISTORY-3] shows the title as it was", async () => {
    await revisionSlider(ana.page).focus();
    await ana.page.keyboard.press("Home");
    await expect.poll(() => ana.page.getByRole("main").innerText()).not.toContain("Second title");
  });

  it("[HISTORY-4] plays to the end and stops there", async () => {
    await revisionSlider(ana.page).focus();
    await ana.page.keyboard.press("Home");
    await ana.page.getByRole("button", { name: "Play" }).click();
    await ana.page.getByRole("button", { name: "Pause" }).waitFor();
    await expect.poll(() => past(ana.page).innerText()).toContain("Second sentence.");
  });

  it("[HISTORY-5] ignores live edits, and counts them", async () => {
    await revisionSlider(ana.page).focus();
    await ana.page.keyboard.press("Home");
    await text(ben.page).click();
    await ben.page.keyboard.press("Control+End");
    await ben.page.keyboard.type(" Third.");
    await saved(ben.page);
    await expect
      .poll(() => ana.page.getByRole("button", { name: /^Back to live/ }).innerText())
      .toMatch(/\d+ new/);
    expect(await past(ana.page).innerText()).not.toContain("Third.");
    await ana.page.getByRole("button", { name: /^Back to live/ }).click();
    await expect.poll(() => text(ana.page).innerText()).toContain("Third.");
  });

  it("[HISTORY-6] restores a revision by appending, for everyone, and loses nothing", async () => {
    await ana.page.getByRole("button", { name: "History" }).click();
    await revisionSlider(ana.page).waitFor();
    await revisionSlider(ana.page).focus();
    await ana.page.keyboard.press("End");
    for (let step = 0; step < 60 && (await past(ana.page).innerText()).includes("Third."); step++)
      await ana.page.keyboard.press(",");
    const pastText = (await past(ana.page).innerText()).trim();
    expect(pastText).not.toContain("Third.");
    await ana.page.getByRole("button", { name: "Restore this moment" }).click();
    await ana.page.getByRole("dialog").getByRole("region", { name: "What will change" }).waitFor();
    expect(await barriers(ana.page)).toEqual([]);
    await ana.page
      .getByRole("dialog")
      .or(ana.page.getByRole("alertdialog"))
      .getByRole("button", { name: /restore/i })
      .click();
    await expect.poll(() => text(ben.page).innerText()).not.toContain("Third.");
    await text(ana.page).waitFor();
    await ana.page.getByRole("button", { name: "History" }).click();
    await revisionSlider(ana.page).focus();
    await ana.page.keyboard.press("End");
    await ana.page.keyboard.press(",");
    await expect.poll(() => past(ana.page).innerText()).toContain("Third.");
  });

  it("[HISTORY-34] shows a restored page without marks, with a sentence about the restore", async () => {
    const { page } = ana;
    await page.keyboard.press("End");
    await page
      .getByText(/restored the version of \d\d:\d\d/)
      .first()
      .waitFor();
    expect(await past(page).locator("del").count()).toBe(0);
    expect(await past(page).locator("ins").count()).toBe(0);
  });
});
