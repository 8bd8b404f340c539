import type { Browser, Page } from "playwright";
import { beforeAll, expect, test } from "vitest";
import { bringIn } from "@/tests/support/writers/writers";
import { newDocument, person, saved, text, writable } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
/** Switches a setting in the document's menu. */
async function toggled(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitemcheckbox", { name, exact: true }).click();
}

test(
  "[PRES-1] [PRES-3] clicking a face follows that person’s caret, Escape stops, and each may " +
    "hide carets",
  async () => {
    const [ana, ben] = [await person(browser, "Ana"), await person(browser, "Ben")];
    await bringIn(ana, ben, ana.workspace, "editor");
    const path = await newDocument(ana, "Long");
    await text(ana.page).click();
    await ana.page.keyboard.insertText(
      Array.from({ length: 80 }, (_, at) => `Line ${at}`).join("\n"),
    );
    await saved(ana.page);
    await ben.page.goto(path);
    await writable(ben.page).waitFor();
    await ana.page.keyboard.press("Control+Home");
    const face = ana.page.getByRole("button", { name: "Follow Ben" });
    await face.click();
    const chip = ana.page.getByRole("status").filter({ hasText: "Following Ben" });
    await chip.waitFor();
    await expect.poll(() => face.getAttribute("aria-pressed")).toBe("true");
    const caret = ana.page.locator("#text .caret");
    const inView = () =>
      caret.evaluate(
        (element) =>
          element.getBoundingClientRect().bottom < innerHeight &&
          element.getBoundingClientRect().top > 0,
      );
    await text(ben.page).click();
    await ben.page.keyboard.press("Control+End");
    await caret.waitFor({ state: "attached" });
    await expect.poll(inView).toBe(true);
    await ben.page.keyboard.press("Control+Home");
    await expect.poll(inView).toBe(true);
    await ana.page.keyboard.press("Escape");
    await chip.waitFor({ state: "detached" });
    await expect.poll(() => face.getAttribute("aria-pressed")).toBe("false");
    // His own caret, hidden from all, also after a reload.
    await toggled(ben.page, "Show my caret");
    await text(ben.page).click();
    await ben.page.keyboard.type("Hidden. ");
    await text(ana.page).getByText("Hidden.").waitFor();
    await expect.poll(() => caret.count()).toBe(0);
    await ben.page.reload();
    await writable(ben.page).click();
    await ben.page.keyboard.type("Still. ");
    await text(ana.page).getByText("Still.").waitFor();
    expect(await caret.count()).toBe(0);
    await toggled(ben.page, "Show my caret");
    await text(ben.page).click();
    await caret.waitFor({ state: "attached" });
    // All carets, hidden only for this person.
    await toggled(ana.page, "Show carets");
    await expect.poll(() => caret.count()).toBe(0);
    await Promise.all([ana.context.close(), ben.context.close()]);
  },
);
