import { beforeAll, describe, expect, it } from "vitest";
import { bringIn } from "@/tests/support/writers/writers";
import { barriers } from "../support/browser/axe";
import { comments, distance, marked, thread } from "../support/comments";
import { newDocument, person, saved, text } from "../support/person";
import type { Person } from "../support/person";
import { revisionSlider } from "../support/player";
import { select } from "../support/browser/selection";
import { sharedBrowser } from "../support/browser/shared-browser";

let ana: Person;
let carol: Person;

// A typical thread: answered, edited, and with a deleted comment.
beforeAll(async () => {
  const browser = await sharedBrowser();
  ana = await person(browser, "Ana");
  carol = await person(browser, "Carol");
  const path = await newDocument(ana, "Opening hours");
  await text(ana.page).click();
  await ana.page.keyboard.type(
    "The library opens at nine on Saturdays.\nBen keeps the second key.",
  );
  await saved(ana.page);
  await bringIn(ana, carol, ana.workspace, "commenter");
  await carol.page.goto(path);
  await comments(carol.page).waitFor();
  await select(carol.page, "at nine");
  await carol.page.getByRole("button", { name: "Comment", exact: true }).click();
  const field = carol.page.getByRole("textbox", { name: "Comment" });
  await field.fill("Ten, surely?");
  await field.press("Control+Enter");
  const hers = thread(ana.page, "at nine");
  await hers.getByText("Ten, surely?").click();
  await hers.getByRole("textbox", { name: "Reply" }).fill("No: nine.");
  await hers.getByRole("textbox", { name: "Reply" }).press("Control+Enter");
  const mine = thread(carol.page, "at nine");
  await mine.getByText("No: nine.").waitFor();
  await mine.getByRole("button", { name: "Edit" }).click();
  await mine.getByRole("textbox", { name: "Edit comment" }).fill("Ten, I thought.");
  await mine.getByRole("button", { name: "Save" }).click();
  await mine.getByRole("textbox", { name: "Reply" }).fill("Forget it");
  await mine.getByRole("button", { name: "Reply", exact: true }).click();
  await hers.getByText("Forget it").waitFor();
  await mine.getByRole("button", { name: "Delete" }).last().click();
  await mine.getByRole("button", { name: "Delete", exact: true }).last().click();
  await hers.getByText("This comment was deleted.").waitFor();
});

describe("comments in the margin", () => {
  it("[COMMENT-8] have no serious finding for axe, even while one is being written", async () => {
    await select(ana.page, "the second key");
    await ana.page.keyboard.press("Control+Shift+M");
    const field = ana.page.getByRole("textbox", { name: "Comment" });
    await expect
      .poll(() => field.evaluate((element) => element === document.activeElement))
      .toBe(true);
    await ana.page.keyboard.type("Since when?");
    // The typed text is the comment, not part of the document.
    expect(await text(ana.page).innerText()).toContain("the second key");
    expect(await barriers(ana.page)).toEqual([]);
    await ana.page.getByRole("button", { name: "Comment", exact: true }).click();
    await thread(ana.page, "the second key").waitFor();
    expect(await barriers(ana.page)).toEqual([]);
  });

  it(
    "[COMMENT-10] keep an unsent draft through the analysis, the past and a reload, until " +
      "sent or discarded",
    async () => {
      const page = ana.page;
      const field = page.getByRole("textbox", { name: "Comment", exact: true });
      const reply = thread(page, "at nine").getByRole("textbox", { name: "Reply" });
      await thread(page, "at nine").click();
      await reply.fill("Or half past");
      await reply.press("Escape");
      await select(page, "Saturdays");
      await page.keyboard.press("Control+Shift+M");
      await field.fill("In winter too?");
      await page.getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole("menuitem", { name: "Summary of changes" }).click();
      await page.getByRole("complementary", { name: "Statistics" }).waitFor();
      await page.getByRole("button", { name: "Comments" }).click();
      await expect.poll(() => field.inputValue()).toBe("In winter too?");
      await page.getByRole("button", { name: "History" }).click();
      await page.getByRole("button", { name: "Back to live" }).click();
      await expect.poll(() => field.inputValue()).toBe("In winter too?");
      await page.reload();
      await expect.poll(() => field.inputValue()).toBe("In winter too?");
      await expect.poll(() => marked(page).allInnerTexts()).toContain("Saturdays");
      await field.press("Escape");
      await thread(page, "at nine")
        .getByRole("button", { name: "Your reply isn’t sent yet" })
        .click();
      await expect.poll(() => reply.inputValue()).toBe("Or half past");
      await thread(page, "at nine").getByRole("button", { name: "Cancel" }).click();
      await field.press("Control+Enter");
      await thread(page, "Saturdays").getByText("In winter too?").waitFor();
      // The link appears once the log has the thread.
      await thread(page, "Saturdays")
        .getByRole("link", { name: "See the text at that time" })
        .waitFor();
      await page.reload();
      await thread(page, "Saturdays").waitFor();
      expect([await field.count(), await page.getByText("not sent yet").count()]).toEqual([0, 0]);
    },
  );

  it("[COMMENT-9] leave the margin to the open analysis, and return when asked for, in the past too", async () => {
    const analysis = ana.page.getByRole("complementary", { name: "Statistics" });
    const button = ana.page.getByRole("button", { name: "Comments" });
    await ana.page.getByRole("button", { name: "More", exact: true }).click();
    await ana.page.getByRole("menuitem", { name: "Summary of changes" }).click();
    await analysis.getByRole("region", { name: "Summary of changes" }).waitFor();
    await expect.poll(() => comments(ana.page).count()).toBe(0);
    await expect.poll(() => button.getAttribute("aria-pressed")).toBe("false");
    await button.click();
    await thread(ana.page, "at nine").waitFor();
    await expect.poll(() => analysis.count()).toBe(0);
    await ana.page.getByRole("button", { name: "History" }).click();
    const then = ana.page.getByRole("complementary", { name: "Comments at this moment" });
    await then.waitFor();
    await ana.page.getByRole("button", { name: "Statistics", exact: true }).click();
    await analysis.waitFor();
    await expect.poll(() => then.count()).toBe(0);
    await analysis.getByRole("button", { name: "Close statistics" }).click();
    await then.waitFor();
    await ana.page.getByRole("button", { name: "Back to live" }).click();
    await thread(ana.page, "at nine").waitFor();
  });

  it(
    "[COMMENT-13] stay beside their words in the past of a long text, and scroll into view " +
      "when spoken",
    async () => {
      const { page } = ana;
      const words = "Line 100 of them all.";
      await newDocument(ana, "A long list");
      // Longer than the page keeps in the DOM at once.
      await text(page).evaluate((editor) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData(
          "text/plain",
          Array.from({ length: 150 }, (_, line) => `Line ${line} of them all.`).join("\n\n"),
        );
        editor.dispatchEvent(
          new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
        );
      });
      await saved(page);
      await text(page).getByText(words).click();
      await page.keyboard.press("Home");
      await page.keyboard.press("Shift+End");
      await page.keyboard.press("Control+Shift+M");
      await page.getByRole("textbox", { name: "Comment", exact: true }).fill("Why this one?");
      await page.keyboard.press("Control+Enter");
      await thread(page, words).waitFor();
      await expect
        .poll(() => text(page).evaluate((field) => field === document.activeElement))
        .toBe(true);
      await page.keyboard.press("Control+Home");
      await page.keyboard.type("To begin with: ");
      await saved(page);
      await page.getByRole("button", { name: "History" }).click();
      const then = page.locator("#past-text").getByText(words, { exact: true });
      const note = page
        .getByRole("complementary", { name: "Comments at this moment" })
        .getByRole("listitem")
        .filter({ hasText: "Why this one?" })
        .first();
      await note.waitFor({ state: "attached" });
      await expect.poll(() => then.count()).toBe(0);
      const scroll = (share: number) =>
        page
          .locator("main:visible")
          .evaluate((main, part) => main.scrollTo({ top: main.scrollHeight * part }), share);
      // The text may grow while it appears.
      await expect
        .poll(async () => {
          await scroll(100 / 155);
          return then.count();
        })
        .toBe(1);
      await then.waitFor();
      await expect.poll(() => distance(then, note)).toBeLessThan(30);
      await page.setViewportSize({ width: 900, height: 700 });
      await expect.poll(() => distance(then, note)).toBeLessThan(30);
      await page.setViewportSize({ width: 1280, height: 720 });
      // A note is out of sight when its words are.
      await scroll(1);
      await expect.poll(() => then.count()).toBe(0);
      await expect.poll(async () => (await note.boundingBox())?.y).toBeLessThan(-200);
      await scroll(0);
      await expect.poll(() => then.count()).toBe(0);
      await revisionSlider(page).press("[");
      await expect.poll(() => distance(then, note)).toBeLessThan(30);
      await expect
        .poll(async () => {
          const [place, frame] = [
            await note.boundingBox(),
            await page.locator("main:visible").boundingBox(),
          ];
          return (
            place && frame && place.y > frame.y && place.y + place.height < frame.y + frame.height
          );
        })
        .toBe(true);
    },
  );

  it("[COMMENT-8] open as a sheet on a phone, at the thread whose words are tapped", async () => {
    await carol.page.setViewportSize({ width: 390, height: 800 });
    expect(await carol.page.getByRole("dialog").count()).toBe(0);
    await marked(carol.page).first().click();
    const sheet = carol.page.getByRole("dialog", { name: "Comments" });
    await sheet.getByRole("textbox", { name: "Reply" }).waitFor();
    // Tapping to read must not open a keyboard.
    await expect
      .poll(() =>
        sheet
          .getByRole("article")
          .first()
          .evaluate((note) => note === document.activeElement),
      )
      .toBe(true);
    expect(await barriers(carol.page)).toEqual([]);
    // Escape first cancels the edit, then closes the sheet.
    const edit = sheet.getByRole("button", { name: "Edit" }).first();
    await edit.click();
    await sheet.getByRole("textbox", { name: "Edit comment" }).press("Escape");
    await expect
      .poll(() => edit.evaluate((button) => button === document.activeElement))
      .toBe(true);
    await carol.page.keyboard.press("Escape");
    await expect.poll(() => sheet.count()).toBe(0);
    await expect
      .poll(() => text(carol.page).evaluate((field) => field === document.activeElement))
      .toBe(true);
  });
});
