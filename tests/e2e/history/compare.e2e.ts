import type { Browser } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { barriers } from "../support/browser/axe";
import { newDocument, saved, text, titleBox, writable } from "../support/person";
import type { Person } from "../support/person";
import { revisionSlider, past } from "../support/player";
import { sharedDocument } from "../support/shared-document";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
let ana: Person;
let ben: Person;
let path: string;
let workspace: string;

beforeAll(async () => {
  browser = await sharedBrowser();
  ({ ana, ben, workspace, path } = await sharedDocument(browser, {
    title: "The rule",
    begun: "We correct promptly and in the open.",
    ended: " Nobody is left to guess.",
  }));
});

const comparison = (who: Person) => who.page.getByRole("region", { name: "Comparison" });

/** The version at which Ana's sentence was complete and Ben had written nothing. */
async function versionBefore(who: Person): Promise<number> {
  await who.page.getByRole("button", { name: "History" }).click();
  await revisionSlider(who.page).focus();
  await who.page.keyboard.press("End");
  for (let step = 0; step < 60 && /open\.\s*N/.test(await past(who.page).innerText()); step++)
    await who.page.keyboard.press(",");
  await who.page.waitForURL(/[?&]at=\d+/);
  return Number(new URL(who.page.url()).searchParams.get("at"));
}

describe("comparing two revisions", () => {
  it("[COMPARE-4] shows the changes since the revision shown, and their author", async () => {
    await versionBefore(ana);
    await ana.page.getByRole("button", { name: "Compare", exact: true }).click();
    await comparison(ana).locator("ins").filter({ hasText: "left to guess" }).waitFor();
    expect(await comparison(ana).locator("ins").first().getAttribute("data-author")).toBe("Ben");
    await expect
      .poll(() => comparison(ana).getByRole("status").first().innerText())
      .toMatch(/1 change by Ben: 5 words added/);
    await ana.page.waitForURL(/compare=\d+(&since=\d+)?&with=now/);
  });

  it("[COMPARE-4] opens from its address, side by side too, and moves between changes", async () => {
    await ben.page.goto(`${path}${new URL(ana.page.url()).search}`);
    await comparison(ben).locator("ins").filter({ hasText: "left to guess" }).waitFor();
    await ben.page.getByRole("button", { name: "Next change" }).click();
    await comparison(ben).getByText("Change 1 of 1").waitFor();
    await ben.page
      .getByRole("group", { name: "This change" })
      .getByText(/Ben added “Nobody is left to guess/)
      .waitFor();
    await ben.page.getByRole("radio", { name: "Side by side" }).check();
    await expect
      .poll(() =>
        comparison(ben)
          .locator("[data-side=out]")
          .first()
          .innerText()
          .then((words) => words.trim()),
      )
      .toBe("We correct promptly and in the open.");
    await ben.page.keyboard.press("Escape");
    await past(ben.page).waitFor();
  });
});

describe("comparing a long text", () => {
  const paragraphs = 2_000;

  it("[COMPARE-5] [HISTORY-1] folds unchanged rows, opens them, and renders only those nearby", async () => {
    await ana.page.goto(path.replace(/\/d\/.*/, `/w/${workspace}`));
    const long = await newDocument(ana, "Minutes of all years");
    await writable(ana.page).click();
    await writable(ana.page).evaluate((editor, count) => {
      const data = new DataTransfer();
      data.setData(
        "text/html",
        Array.from({ length: count }, (_, at) => `<p>Item ${at + 1} was agreed.</p>`).join(""),
      );
      editor.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
      );
    }, paragraphs);
    await text(ana.page).getByText(`Item ${paragraphs} was agreed.`).waitFor();
    await saved(ana.page);
    await ana.page.getByRole("button", { name: "History" }).click();
    await revisionSlider(ana.page).waitFor();
    await revisionSlider(ana.page).press("End");
    await ana.page.waitForURL(/[?&]at=\d+/);
    const before = new URL(ana.page.url()).searchParams.get("at");
    await ana.page.getByRole("button", { name: /^Back to live/ }).click();
    await writable(ana.page).click();
    for (const key of ["Control+Home", "End"]) await ana.page.keyboard.press(key);
    await ana.page.keyboard.type(" By all.");
    await ana.page.keyboard.press("Control+End");
    await ana.page.keyboard.type(" At last.");
    await saved(ana.page);
    // Opening the history keeps the reader's place in the text.
    await ana.page.getByRole("button", { name: "History" }).click();
    await revisionSlider(ana.page).waitFor();
    await expect
      .poll(() => ana.page.locator("main:visible").evaluate((page) => page.scrollTop))
      .toBeGreaterThan(10_000);
    await past(ana.page).getByText("At last.").waitFor();

    await ana.page.goto(`${long}?compare=${before}&with=now`);
    await comparison(ana)
      .getByText(/2 changes by Ana/)
      .waitFor();
    const fold = comparison(ana).getByRole("button", { name: /^1 99\d unchanged paragraphs$/ });
    await fold.waitFor();
    const drawn = () => comparison(ana).locator("[data-chunk] p").count();
    expect(await drawn()).toBeLessThan(20);
    await ana.page.keyboard.press("n");
    await ana.page.keyboard.press("n");
    await comparison(ana).locator("ins[data-current]").filter({ hasText: "At last." }).waitFor();
    // Letters are shortcuts of the player only on the player's own elements.
    await ana.page.getByRole("navigation", { name: "Workspace" }).getByRole("link").first().focus();
    await ana.page.keyboard.press("n");
    await comparison(ana).locator("ins[data-current]").filter({ hasText: "At last." }).waitFor();
    await fold.click();
    await fold.waitFor({ state: "detached" });
    await comparison(ana).getByText("Item 5 was agreed.").waitFor();
    expect(await drawn()).toBeLessThan(paragraphs / 4);
    await ana.page.keyboard.press("n");
    await comparison(ana).locator("ins[data-current]").filter({ hasText: "By all." }).waitFor();
    await ana.page.keyboard.press("p");
    const last = comparison(ana).locator("ins[data-current]").filter({ hasText: "At last." });
    await expect
      .poll(async () => {
        const box = await last.boundingBox();
        return box !== null && box.y > 0 && box.y < 720;
      })
      .toBe(true);
    expect(await drawn()).toBeLessThan(paragraphs / 4);
  });
});

describe("acting on the past", () => {
  it("[ACT-8] gives a version a name that leads back to it", async () => {
    await ana.page.goto(path);
    await writable(ana.page).waitFor();
    await ana.page.getByRole("button", { name: "History" }).click();
    await revisionSlider(ana.page).waitFor();
    await ana.page.getByRole("button", { name: "Name this version" }).click();
    await ana.page
      .getByRole("dialog")
      .getByRole("textbox", { name: "Name" })
      .fill("As sent to counsel");
    await ana.page.keyboard.press("Enter");
    await ana.page.getByText("Named “As sent to counsel”").first().waitFor();
    await ana.page
      .getByRole("toolbar", { name: "Marks" })
      .getByRole("button", { name: /^Ana named this version “As sent to counsel”/ })
      .waitFor();
    await ana.page.getByRole("button", { name: /^Back to live/ }).click();
    // The player has a menu with the same name.
    await revisionSlider(ana.page).waitFor({ state: "detached" });
    await ana.page.getByRole("button", { name: "More", exact: true }).click();
    await ana.page.getByRole("menuitem", { name: "Name this version…" }).click();
    const list = ana.page.getByRole("list", { name: "Versions" });
    await list.waitFor();
    expect(await barriers(ana.page)).toEqual([]);
    await list.getByRole("button", { name: "Pin As sent to counsel" }).click();
    await expect
      .poll(() =>
        list.getByRole("button", { name: "Pin As sent to counsel" }).getAttribute("aria-pressed"),
      )
      .toBe("true");
    await list.getByRole("button", { name: /^As sent to counsel/ }).click();
    await ana.page.waitForURL(/at=\d+/);
    await past(ana.page).getByText("left to guess").waitFor();
  });

  it("[ACT-8] rewords a name, removes a pin, and leads to later changes", async () => {
    await ana.page.getByRole("button", { name: /^Back to live/ }).click();
    // The player has a menu with the same name.
    await revisionSlider(ana.page).waitFor({ state: "detached" });
    await ana.page.getByRole("button", { name: "More", exact: true }).click();
    await ana.page.getByRole("menuitem", { name: "Name this version…" }).click();
    const list = ana.page.getByRole("list", { name: "Versions" });
    await list.getByRole("button", { name: "Rename As sent to counsel" }).click();
    await list
      .getByRole("textbox", { name: "New name of As sent to counsel" })
      .fill("As counsel has it");
    await list.getByRole("button", { name: "Save" }).click();
    const pin = list.getByRole("button", { name: "Pin As counsel has it" });
    await expect.poll(() => pin.getAttribute("aria-pressed")).toBe("true");
    await pin.click();
    await expect.poll(() => pin.getAttribute("aria-pressed")).toBe("false");
    await list.getByRole("button", { name: "Compare As counsel has it with now" }).click();
    await ana.page.waitForURL(/compare=\d+(&since=\d+)?&with=now/);
    await comparison(ana).getByRole("status").first().waitFor();
    expect(await comparison(ana).locator("ins, del").count()).toBe(0);
  });

  it("[ACT-19] is offered in the player’s menu for authors of later changes", async () => {
    await ana.page.goto(`${path}?at=1`);
    await revisionSlider(ana.page).waitFor();
    await ana.page.getByRole("button", { name: "More", exact: true }).click();
    await ana.page.getByRole("menuitem", { name: "Revert all changes by…" }).press("ArrowRight");
    const by = ana.page.getByRole("menu", { name: "Revert all changes by…" });
    await by.getByRole("menuitem", { name: "Ana" }).waitFor();
    await by.getByRole("menuitem", { name: "Ben" }).click();
    const dialog = ana.page.getByRole("dialog", { name: "Revert what Ben changed?" });
    await dialog
      .getByRole("region", { name: "What will change" })
      .locator("del")
      .filter({ hasText: "left to guess" })
      .waitFor();
    await ana.page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  it("[ACT-7] previews a revert, applies it for everybody, and can undo it", async () => {
    await ana.page.goto(`${path}?compare=1&with=now`);
    await comparison(ana).locator("ins").filter({ hasText: "left to guess" }).waitFor();
    await ana.page.getByRole("button", { name: "Next change" }).click();
    await ana.page.getByRole("button", { name: "Revert all changes by Ben" }).click();
    const dialog = ana.page.getByRole("dialog");
    await dialog
      .getByRole("region", { name: "What will change" })
      .locator("del")
      .filter({ hasText: "left to guess" })
      .waitFor();
    await dialog.getByRole("button", { name: "Revert" }).click();
    const undo = ana.page.getByRole("button", { name: "Undo" });
    // A toast stays while hovered.
    await undo.hover();
    await ben.page.goto(path);
    await writable(ben.page).getByText("We correct promptly").waitFor();
    await expect.poll(() => text(ben.page).innerText()).not.toContain("guess");
    await undo.click();
    await text(ben.page).getByText("Nobody is left to guess").waitFor();
  });
});

describe("one change of several", () => {
  it("[ACT-7] [COMPARE-4] is opened and reverted alone", async () => {
    await ana.page.goto(path);
    await writable(ana.page).getByText("left to guess").waitFor();
    await ana.page.getByRole("button", { name: "History" }).click();
    await revisionSlider(ana.page).waitFor();
    const before = new URL(ana.page.url()).searchParams.get("at");
    await ana.page.getByRole("button", { name: /^Back to live/ }).click();
    await writable(ana.page).click();
    await ana.page.keyboard.press("Control+Home");
    await ana.page.keyboard.type("Always: ");
    await ana.page.keyboard.press("Control+End");
    await ana.page.keyboard.type(" In any language.");
    await saved(ana.page);
    await ana.page.goto(`${path}?compare=${before}&with=now`);
    await comparison(ana)
      .getByText(/2 changes by Ana/)
      .waitFor();
    await ana.page.getByRole("button", { name: "Next change" }).click();
    await comparison(ana).getByText("Change 1 of 2").waitFor();
    await ana.page.getByRole("button", { name: "Previous change" }).click();
    await comparison(ana).getByText("Change 2 of 2").waitFor();
    await ana.page.getByRole("button", { name: "Revert this change" }).click();
    const dialog = ana.page.getByRole("dialog", { name: "Revert this change?" });
    await dialog
      .getByRole("region", { name: "What will change" })
      .locator("del")
      .filter({ hasText: "In any language." })
      .waitFor();
    expect(await dialog.locator("del").count()).toBe(1);
    const told = ben.page
      .getByRole("listitem")
      .filter({ hasText: /Ana reverted a passage.*In any language/ });
    // A toast stays while hovered, here until the next test checks it.
    await Promise.all([told.hover(), dialog.getByRole("button", { name: "Revert" }).click()]);
    await expect
      .poll(() => text(ben.page).innerText())
      .toMatch(/^Always: We correct[^]*left to guess\.\s*$/);
  });

  it("[ACT-15] is announced to readers of the document, with its author and a link to the revision", async () => {
    const announcement = ben.page
      .getByRole("listitem")
      .filter({ hasText: /Ana reverted a passage.*The text from before is in the history\./ });
    await announcement.getByRole("button", { name: "See it" }).click();
    await ben.page.waitForURL(/[?&]at=\d+/);
    await past(ben.page).getByText("Always: We correct").waitFor();
    await expect
      .poll(() => revisionSlider(ben.page).getAttribute("aria-valuetext"))
      .toContain("Ana");
  });
});

describe("a fork", () => {
  it("[ACT-18] is named by typing, or undone from its toast", async () => {
    await ana.page.goto(path);
    await writable(ana.page).getByText("left to guess").waitFor();
    await ana.page.getByRole("button", { name: "More", exact: true }).click();
    await ana.page.getByRole("menuitem", { name: "Fork this document" }).click();
    // A toast stays while hovered, however long a slow machine takes for the rest.
    await ana.page.getByText("Forked “The rule”", { exact: false }).first().hover();
    await expect
      .poll(() => ana.page.evaluate(() => getSelection()?.toString()))
      .toBe("The rule (fork)");
    await ana.page.keyboard.type("A stricter rule");
    await expect.poll(() => titleBox(ana.page).innerText()).toBe("A stricter rule");
    await ana.page.getByRole("button", { name: "Undo" }).click();
    await ana.page.waitForURL(`**${path}`);
    await expect
      .poll(() => ana.page.getByRole("treeitem", { name: "A stricter rule" }).count())
      .toBe(0);
  });

  it(
    "[ACT-10] [FORK-9] [FORK-10] starts at its revision, credits the authors, and is merged " +
      "back after a preview",
    async () => {
      await ana.page.goto(path);
      await writable(ana.page).getByText("left to guess").waitFor();
      await ana.page.getByRole("button", { name: "More", exact: true }).click();
      await ana.page.getByRole("menuitem", { name: "Fork this document" }).click();
      await ana.page.waitForURL((url) => url.pathname.startsWith("/d/") && url.pathname !== path);
      const notice = ana.page.getByRole("complementary", { name: "Fork" });
      await notice.getByRole("link", { name: "The rule" }).waitFor();
      await writable(ana.page).getByText("left to guess").click();
      await ana.page.keyboard.press("Control+End");
      await ana.page.keyboard.type(" Not even once.");
      await saved(ana.page);
      await ana.page.getByRole("button", { name: "More", exact: true }).click();
      await ana.page.getByRole("menuitem", { name: "Authors" }).click();
      const analysis = ana.page.getByRole("complementary", { name: "Statistics" });
      await analysis
        .getByRole("button", {
          name: /^(Ana|Ben), .*, came with the fork of “The rule” that Ana made/,
        })
        .filter({ hasText: "left to guess" })
        .waitFor();
      await analysis.getByRole("row", { name: /^Ana \d+ % 3 0 0/ }).waitFor();
      expect(
        await analysis
          .getByRole("link", { name: "See “The rule” as it was" })
          .first()
          .getAttribute("href"),
      ).toMatch(new RegExp(`^${path}\\?at=\\d+$`));
      await analysis.getByRole("button", { name: "Close statistics" }).click();
      await notice.getByRole("button", { name: "Merge back…" }).click();
      const dialog = ana.page.getByRole("dialog");
      await dialog.locator("ins").filter({ hasText: "Not even once." }).waitFor();
      expect(await barriers(ana.page)).toEqual([]);
      await dialog.getByRole("button", { name: "Merge", exact: true }).click();
      const undo = ana.page
        .getByRole("listitem")
        .filter({ hasText: "Merged into" })
        .getByRole("button", { name: "Undo" });
      // A toast stays while hovered.
      await undo.hover();
      await ben.page.goto(path);
      await text(ben.page).getByText("Not even once.").waitFor();
      await undo.click();
      await expect.poll(() => text(ben.page).innerText()).not.toContain("Not even once.");
      expect(await text(ben.page).innerText()).toContain("left to guess");
    },
  );

  it("[ACT-13] is merged again with new and reverted changes, and then has nothing to merge", async () => {
    const merge = ana.page.getByRole("button", { name: "Merge back…" });
    const dialog = ana.page.getByRole("dialog");
    await writable(ana.page).getByText("Not even once.").click();
    await ana.page.keyboard.press("Control+End");
    await ana.page.keyboard.type(" Nor twice.");
    await saved(ana.page);
    await merge.click();
    await dialog.getByText("It was merged before, and that was taken back").waitFor();
    await expect
      .poll(async () => (await dialog.locator("ins").allInnerTexts()).join(""))
      .toContain("Not even once. Nor twice.");
    await dialog.getByRole("button", { name: "Merge", exact: true }).click();
    await text(ben.page).getByText("left to guess. Not even once. Nor twice.").waitFor();
    await merge.click();
    await dialog.getByText("There is nothing to merge.").waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();
  });

  it("[ACT-10] offers its parent's new text until merged, and again after an undo", async () => {
    const notice = ana.page.getByRole("complementary", { name: "Fork" });
    const news = notice.getByRole("link", { name: /edits? there since$/ });
    await news.waitFor();
    await notice.getByRole("button", { name: "Bring it in…" }).click();
    await ana.page.getByRole("dialog").getByRole("button", { name: "Merge", exact: true }).click();
    const undo = ana.page
      .getByRole("listitem")
      .filter({ hasText: /Merged into.*\(fork\)/ })
      .getByRole("button", { name: "Undo" });
    // A toast stays while hovered.
    await undo.hover();
    await notice.getByText("Everything that was written there since is here.").waitFor();
    expect([
      await news.count(),
      await notice.getByRole("button", { name: "Bring it in…" }).count(),
    ]).toEqual([0, 0]);
    await undo.click();
    await news.waitFor();
  });

  it("[ACT-10] shows no caret over its initial text", async () => {
    await ana.page.goto(`${new URL(ana.page.url()).pathname}?at=2`);
    await ana.page.getByRole("slider", { name: "Moment" }).waitFor();
    const past = ana.page.getByRole("region", { name: "Document at this moment" });
    await past.getByText("left to guess").waitFor();
    expect(
      await past
        .locator(".caret")
        .evaluateAll(
          (carets) =>
            carets.filter((caret) => getComputedStyle(caret).visibility === "visible").length,
        ),
    ).toBe(0);
  });

  it("[ACT-10] starts at the revision in the player, and takes in its parent's later changes", async () => {
    await ana.page.goto(path);
    await writable(ana.page).waitFor();
    await ana.page.getByRole("button", { name: "History" }).click();
    await revisionSlider(ana.page).press("Home");
    for (
      let step = 0;
      step < 90 && !(await past(ana.page).innerText()).includes("in the open.");
      step++
    )
      await ana.page.keyboard.press(".");
    await ana.page
      .getByRole("region", { name: "Player" })
      .getByRole("button", { name: "More", exact: true })
      .click();
    await ana.page.getByRole("menuitem", { name: "Fork from here" }).click();
    await ana.page.waitForURL((url) => url.pathname.startsWith("/d/") && url.pathname !== path);
    await writable(ana.page).getByText("in the open.").waitFor();
    expect(await text(ana.page).innerText()).not.toContain("guess");
    const notice = ana.page.getByRole("complementary", { name: "Fork" });
    await notice.getByRole("link", { name: /^\d+ edits there since$/ }).waitFor();
    await notice.getByRole("button", { name: "Bring it in…" }).click();
    const dialog = ana.page.getByRole("dialog");
    await dialog.locator("ins").filter({ hasText: "left to guess" }).waitFor();
    await dialog.getByRole("button", { name: "Merge", exact: true }).click();
    await text(ana.page).getByText("Nobody is left to guess").waitFor();
    expect(await text(ana.page).innerText()).toContain("Always: We correct");
  });
});
