import type { Browser, Locator } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { bringIn } from "@/tests/support/writers/writers";
import { comments, distance, marked, thread } from "../support/comments";
import { newDocument, person, saved, text } from "../support/person";
import type { Person } from "../support/person";
import { select } from "../support/browser/selection";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
let ana: Person;
let carol: Person;
let dora: Person;
let path: string;

const first = "The library opens at nine on Saturdays.";
const second = "Ben keeps the second key.";

beforeAll(async () => {
  browser = await sharedBrowser();
  ana = await person(browser, "Ana");
  carol = await person(browser, "Carol");
  dora = await person(browser, "Dora");
  const { workspace } = ana;
  path = await newDocument(ana, "Opening hours");
  await text(ana.page).click();
  await ana.page.keyboard.type(`${first}\n${second}`);
  await saved(ana.page);
  await bringIn(ana, carol, workspace, "commenter");
  await bringIn(ana, dora, workspace, "viewer");
});

describe("comments", () => {
  it(
    "[COMMENT-8] are started on a selection by a commenter, and stand beside their words for " +
      "everybody",
    async () => {
      await carol.page.goto(path);
      await comments(carol.page).waitFor();
      expect(await text(carol.page).getAttribute("aria-readonly")).toBe("true");
      await select(carol.page, "at nine");
      await carol.page.getByRole("button", { name: "Comment", exact: true }).click();
      const field = carol.page.getByRole("textbox", { name: "Comment" });
      await expect
        .poll(() => field.evaluate((element) => element === document.activeElement))
        .toBe(true);
      await carol.page.keyboard.type("Ten, surely?");
      await carol.page.keyboard.press("Control+Enter");
      await thread(carol.page, "at nine").getByText("Ten, surely?").waitFor();
      await thread(ana.page, "at nine").getByText("Ten, surely?").waitFor();
      await expect.poll(() => marked(ana.page).allInnerTexts()).toEqual(["at nine"]);
      await expect
        .poll(() => distance(marked(ana.page), thread(ana.page, "at nine")))
        .toBeLessThan(30);
      await expect
        .poll(() => ana.page.locator('[aria-live="polite"]').first().innerText())
        .toContain("Carol commented on “at nine”");
    },
  );

  it(
    "[COMMENT-8] are answered by keyboard: the key opens the thread at the caret, and Esc " +
      "returns there",
    async () => {
      await marked(ana.page).click();
      await ana.page.keyboard.press("Control+Shift+M");
      const reply = thread(ana.page, "at nine").getByRole("textbox", { name: "Reply" });
      await expect
        .poll(() => reply.evaluate((field) => field === document.activeElement))
        .toBe(true);
      await ana.page.keyboard.type("No: nine.");
      await ana.page.keyboard.press("Control+Enter");
      await thread(carol.page, "at nine").getByText("No: nine.").waitFor();
      await reply.press("Escape");
      await expect
        .poll(() => text(ana.page).evaluate((field) => field === document.activeElement))
        .toBe(true);
      expect(
        await carol.page.getByRole("button", { name: "Comments" }).getAttribute("aria-pressed"),
      ).toBe("true");
    },
  );

  it(
    "[COMMENT-8] [COMMENT-12] keep to their words during edits, are reached by keyboard after " +
      "a deletion, and return with them",
    async () => {
      // Checks each frame while another person types: were the words ever shown unmarked?
      const unmarked = await carol.page.evaluateHandle(() => {
        const frames = { seen: 0, bare: 0 };
        requestAnimationFrame(function look() {
          frames.seen += 1;
          if (!document.querySelector("#text [data-passage]")) frames.bare += 1;
          if (!document.querySelector("#text")?.textContent?.includes("Dear all. "))
            requestAnimationFrame(look);
        });
        return frames;
      });
      await expect.poll(async () => (await unmarked.jsonValue()).seen).toBeGreaterThan(0);
      await ana.page.keyboard.press("Control+Home");
      await ana.page.keyboard.type("Dear all. ");
      await text(carol.page).getByText("Dear all. The library").waitFor();
      expect((await unmarked.jsonValue()).bare).toBe(0);
      await select(ana.page, "at nine");
      await ana.page.keyboard.press("Delete");
      await thread(ana.page, "at nine").getByText("Deleted text").waitFor();
      await thread(carol.page, "at nine").getByText("Deleted text").waitFor();
      // The thread is in the tab order, and its words lead to where they were.
      const focused = (locator: Locator) =>
        locator.evaluate((element) => element.contains(document.activeElement));
      await comments(carol.page).getByRole("radio", { name: "Open 1" }).focus();
      await carol.page.keyboard.press("Tab");
      await expect
        .poll(() =>
          focused(thread(carol.page, "at nine").getByRole("button", { name: /Deleted text/ })),
        )
        .toBe(true);
      await thread(carol.page, "at nine").getByRole("textbox", { name: "Reply" }).waitFor();
      await carol.page.keyboard.press("Enter");
      await expect.poll(() => focused(text(carol.page))).toBe(true);
      await ana.page.keyboard.press("Control+z");
      for (const { page } of [ana, carol]) {
        await expect.poll(() => marked(page).allInnerTexts()).toEqual(["at nine"]);
        await expect.poll(() => thread(page, "at nine").getByText("Deleted text").count()).toBe(0);
      }
    },
  );

  it("[COMMENT-8] are edited and deleted by their author, and by no other person", async () => {
    const mine = thread(carol.page, "at nine");
    await mine.getByText("Ten, surely?").click();
    await expect.poll(() => mine.getByRole("button", { name: "Edit" }).count()).toBe(1);
    await mine.getByRole("button", { name: "Edit" }).click();
    await mine.getByRole("textbox", { name: "Edit comment" }).fill("Ten, I thought.");
    await mine.getByRole("button", { name: "Save" }).click();
    await thread(ana.page, "at nine").getByText("Ten, I thought.").waitFor();
    await mine.getByRole("textbox", { name: "Reply" }).fill("Forget it");
    await mine.getByRole("button", { name: "Reply", exact: true }).click();
    await thread(ana.page, "at nine").getByRole("button", { name: "2 replies" }).click();
    await thread(ana.page, "at nine").getByText("Forget it").waitFor();
    await mine.getByRole("button", { name: "Delete" }).last().click();
    await mine.getByRole("button", { name: "Delete", exact: true }).last().click();
    await thread(ana.page, "at nine").getByText("This comment was deleted.").waitFor();
  });

  it("[COMMENT-8] are readable for a viewer, without controls", async () => {
    await dora.page.goto(path);
    await thread(dora.page, "at nine").click();
    expect(await thread(dora.page, "at nine").getByRole("textbox").count()).toBe(0);
    expect(
      await thread(dora.page, "at nine")
        .getByRole("button", { name: /Resolve|Edit|Delete/ })
        .count(),
    ).toBe(0);
    await select(dora.page, "second key");
    await dora.page.keyboard.press("Control+Shift+M");
    await dora.page.getByText("not comment on it").first().waitFor();
    expect(await dora.page.getByRole("textbox", { name: "Comment" }).count()).toBe(0);
  });

  it("[COMMENT-8] leave the margin when resolved, and are found under Resolved and reopened", async () => {
    await thread(carol.page, "at nine").getByRole("button", { name: "Resolve" }).press("Enter");
    await expect
      .poll(() => text(carol.page).evaluate((field) => field === document.activeElement))
      .toBe(true);
    await expect.poll(() => thread(ana.page, "at nine").count()).toBe(0);
    await expect.poll(() => marked(ana.page).count()).toBe(0);
    await comments(ana.page).getByRole("radio", { name: "Resolved 1" }).check();
    await thread(ana.page, "at nine").getByText("Resolved by Carol").waitFor();
    await thread(ana.page, "at nine").click();
    await thread(ana.page, "at nine").getByRole("button", { name: "Reopen" }).press("Enter");
    await comments(ana.page).getByRole("radio", { name: "Open 1", checked: true }).waitFor();
    await expect
      .poll(() => thread(ana.page, "at nine").evaluate((note) => note === document.activeElement))
      .toBe(true);
  });

  it(
    "[COMMENT-5] leave older equal words alone, and follow their own into another block, also " +
      "on a later page",
    { timeout: 120_000 },
    async () => {
      const { page } = ana;
      await newDocument(ana, "Offices");
      await text(page).click();
      await page.keyboard.type("We met in London last week.\nThe London office moved.");
      await saved(page);
      const comment = async (on: string, words: string) => {
        await select(page, on);
        await page.keyboard.press("Control+Shift+M");
        await page.getByRole("textbox", { name: "Comment" }).fill(words);
        await page.keyboard.press("Control+Enter");
        await thread(page, on).getByText(words).waitFor();
      };
      await comment("London", "Which week?");
      await select(page, "London");
      await page.keyboard.press("Delete");
      const gone = thread(page, "London").getByText("Deleted text");
      await gone.waitFor();
      expect(await marked(page).count()).toBe(0);
      await comment("office", "Where to?");
      await select(page, "office");
      await page.keyboard.press("ArrowLeft");
      await expect.poll(() => page.evaluate(() => getSelection()?.isCollapsed)).toBe(true);
      await page.keyboard.press("Enter");
      await expect.poll(() => text(page).locator("p").allInnerTexts()).toContain("office moved.");
      await expect.poll(() => marked(page).allInnerTexts()).toEqual(["office"]);
      await saved(page);
      await page.reload();
      await gone.waitFor();
      // Its letters have new ids by now; the history says that they are the same words.
      await expect.poll(() => marked(page).allInnerTexts()).toEqual(["office"]);
      expect(await gone.count()).toBe(1);
    },
  );
});
