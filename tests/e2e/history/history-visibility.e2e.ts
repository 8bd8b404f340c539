import { randomUUID } from "node:crypto";
import type { Browser, Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { bringIn } from "@/tests/support/writers/writers";
import { barriers } from "../support/browser/axe";
import { choose, newDocument, person, saved, text } from "../support/person";
import type { Person } from "../support/person";
import { select } from "../support/browser/selection";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
let ana: Person;
let carol: Person;
let workspace: string;
let path: string;

beforeAll(async () => {
  browser = await sharedBrowser();
  [ana, carol] = await Promise.all([person(browser, "Ana"), person(browser, "Carol")]);
  ({ workspace } = ana);
  path = await newDocument(ana, "Ruling");
  await text(ana.page).click();
  await ana.page.keyboard.type("It is decided. ");
  await saved(ana.page);
  await bringIn(ana, carol, workspace, "viewer");
});
const shown = (who: Pick<Person, "page">) => who.page.getByLabel("Document text");
const history = (who: Person) => who.page.getByRole("button", { name: "History" });

describe("a reader restricted to named versions", () => {
  it("[GRADE-1] [GRADE-3] loses the history of an open document at once, and keeps its text", async () => {
    await carol.page.goto(path);
    await history(carol).waitFor();
    await ana.page.goto(`/w/${workspace}/members`);
    await choose(
      ana.page,
      ana.page.getByRole("combobox", { name: "History for people who can read" }),
      "Named versions",
    );
    await expect.poll(() => history(carol).count()).toBe(0);
    await expect.poll(() => shown(carol).innerText()).toContain("It is decided.");
    await expect
      .poll(() => carol.page.locator("main").innerText())
      .toContain("You see the present text and named versions");
  });

  it("[GRADE-1] gets no segments, and neither does a stranger", async () => {
    const mallory = await person(browser, "Mallory");
    const answers = await Promise.all(
      [ana, carol, mallory].map((who) => who.page.request.get(`${path}/segments`)),
    );
    expect(answers.map((answer) => answer.status())).toEqual([200, 404, 404]);
    await mallory.context.close();
  });

  it("[GRADE-1] sees the present as it changes, and no history at its address", async () => {
    await carol.page.goto(`${path}?at=2`);
    await shown(carol).waitFor();
    expect(await carol.page.getByRole("slider", { name: "Moment" }).count()).toBe(0);
    await carol.page.goto(path);
    await ana.page.goto(path);
    await text(ana.page).click();
    await ana.page.keyboard.press("ControlOrMeta+End");
    await ana.page.keyboard.type("Finally.");
    await saved(ana.page);
    await expect.poll(() => shown(carol).innerText()).toContain("Finally.");
  });

  it("[FORMAT-5] [FORMAT-6] downloads the present text in every format, without its history", async () => {
    await carol.page.getByRole("button", { name: "Download" }).click();
    const items = carol.page.getByRole("menuitem");
    await items.first().waitFor();
    expect((await items.allInnerTexts()).map((words) => words.split("\n")[0])).toEqual([
      "Markdown",
      "Word",
      "PDF",
      "HTML",
    ]);
    for (const [index, kind] of ["md", "docx", "pdf", "html"].entries()) {
      if (index > 0) await carol.page.getByRole("button", { name: "Download" }).click();
      const coming = carol.page.waitForEvent("download");
      await items.nth(index).click();
      expect((await coming).suggestedFilename()).toBe(`Ruling.${kind}`);
    }
    const mallory = await person(browser, "Mallory");
    const [hers, strangers] = await Promise.all(
      [carol, mallory].map((who) => who.page.request.get(`${path}/download?as=md`)),
    );
    expect(await hers?.text()).toBe("# Ruling\n\nIt is decided. Finally.\n");
    expect(strangers?.status()).toBe(404);
    await mallory.context.close();
  });

  it("[GRADE-3] regains the history when its visibility is widened", async () => {
    await ana.page.goto(`/w/${workspace}/members`);
    await choose(
      ana.page,
      ana.page.getByRole("combobox", { name: "History for people who can read" }),
      "Whole history",
    );
    await history(carol).waitFor();
    await ana.page.goto(path);
  });
});

describe("a redaction", () => {
  const redact = (who: Person, version: number, id: string = randomUUID()) =>
    who.page.request.post(`${path}/redact`, { data: { id, version, reason: "A test" } });

  it("[REDACT-6] is refused to a reader", async () => {
    expect((await redact(carol, 2)).status()).toBe(403);
  });

  it("[REDACT-6] starts in the history, where an owner sees the affected words", async () => {
    await ana.page.goto(`${path}?at=1`);
    const slider = ana.page.getByRole("slider", { name: "Moment" });
    await slider.waitFor();
    await slider.press("End");
    await ana.page.getByRole("button", { name: "More", exact: true }).last().click();
    await ana.page.getByRole("menuitem", { name: "Redact this edit…" }).click();
    const dialog = ana.page.getByRole("dialog", { name: "Redact this edit" });
    await dialog.getByRole("button", { name: "Redact for good" }).waitFor();
    expect("It is decided. Finally.").toContain(
      (await dialog.locator("blockquote").innerText()).trim(),
    );
    await dialog.getByLabel("Reason").fill("A name");
    const loaded = ana.page.waitForEvent("load");
    await dialog.getByRole("button", { name: "Redact for good" }).click();
    await loaded;
    await expect.poll(() => ana.page.getByRole("main").innerText()).not.toContain("Finally.");
    await ana.page.goto(path);
  });

  it(
    "[REDACT-9] covers quotations of the words, refuses a reason with them, and names a fork " +
      "that has them",
    async () => {
      const { page } = ana;
      await text(page).click();
      await page.keyboard.press("ControlOrMeta+End");
      await page.keyboard.insertText(" Confidential matters.");
      await saved(page);
      await page.getByRole("button", { name: "History" }).click();
      await page.getByRole("slider", { name: "Moment" }).waitFor();
      const then = new URL(page.url()).search;
      await page.getByRole("button", { name: "Back to live" }).click();
      await page.getByRole("slider", { name: "Moment" }).waitFor({ state: "detached" });
      // Undo restores a copy, in an event of its own.
      await select(page, "Confidential matters.");
      await page.keyboard.press("Delete");
      await saved(page);
      await page.keyboard.press("ControlOrMeta+z");
      await expect.poll(() => shown(ana).innerText()).toContain("Confidential matters.");
      await saved(page);
      await select(page, "Confidential");
      await page.keyboard.press("Control+Shift+M");
      await page.getByRole("textbox", { name: "Comment" }).fill("Not for here");
      await page.keyboard.press("Control+Enter");
      const note = page.getByRole("article", { name: "Comment thread on “Confidential”" });
      await note.waitFor();
      await page.getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole("menuitem", { name: "Fork this document" }).click();
      await page.getByText("Forked from").waitFor();
      await page.goto(`${path}${then}`);
      await page.getByRole("slider", { name: "Moment" }).waitFor();
      await page.getByRole("button", { name: "More", exact: true }).last().click();
      await page.getByRole("menuitem", { name: "Redact this edit…" }).click();
      const dialog = page.getByRole("dialog", { name: "Redact this edit" });
      await dialog.getByRole("checkbox", { name: /Confidential.*a comment thread/ }).waitFor();
      expect(
        await dialog
          .getByRole("checkbox", { name: /Confidential matters.*an edit by Ana/ })
          .isChecked(),
      ).toBe(true);
      await dialog
        .getByRole("region", { name: "These documents contain the text too" })
        .getByRole("link", { name: "Ruling (fork)" })
        .waitFor();
      expect(await barriers(page)).toEqual([]);
      await dialog.getByLabel("Reason").fill("It was confidential");
      await dialog.getByRole("button", { name: "Redact for good" }).click();
      await dialog.getByText("The reason repeats the text").waitFor();
      await dialog.getByLabel("Reason").fill("A mistake");
      const loaded = page.waitForEvent("load");
      await dialog.getByRole("button", { name: "Redact for good" }).click();
      await loaded;
      await page.goto(path);
      await page.getByText("Not for here").waitFor();
      expect([
        await note.count(),
        await page.getByRole("main").getByText("Confidential").count(),
      ]).toEqual([0, 0]);
    },
  );

  it("[REDACT-1] [REDACT-4] removes the words from every open page and later read", async () => {
    const redactedWords = carol.page.getByText("Not for here");
    await redactedWords.waitFor();
    const answers: number[] = [];
    // Each adds an event to the end, and none of these can be redacted, so the log ends.
    for (let version = 2; answers.at(-1) !== 404; version += 1) {
      const id = randomUUID();
      const answer = await redact(ana, version, id);
      answers.push(answer.status());
      // A caller that missed the answer gets the same one again.
      if (answer.ok())
        expect(await (await redact(ana, version, id)).json()).toEqual(await answer.json());
    }
    expect(answers.filter((status) => status === 200).length).toBeGreaterThan(1);
    for (const who of [ana, carol])
      await expect.poll(() => shown(who).innerText()).not.toMatch(/decided|Finally/);
    await expect.poll(() => redactedWords.count()).toBe(0);
    await carol.page.reload();
    await expect.poll(() => shown(carol).innerText()).not.toMatch(/decided|Finally/);
  });
});

describe("a commenter restricted to named versions", () => {
  let dora: Person;
  const note = (page: Page, words: string) =>
    page.getByRole("article", { name: `Comment thread on “${words}”` });
  const marked = (page: Page) => shown({ page }).locator("[data-passage]");

  beforeAll(async () => {
    dora = await person(browser, "Dora");
    await bringIn(ana, dora, workspace, "commenter");
    await ana.page.goto(`/w/${workspace}/members`);
    await choose(
      ana.page,
      ana.page.getByRole("combobox", { name: "History for people who can comment" }),
      "Named versions",
    );
    // Announced once recorded: the page shows it earlier and is left then.
    await ana.page
      .getByText("They now see named versions only")
      .first()
      .waitFor({ state: "attached" });
    await ana.page.goto(path);
    await text(ana.page).click();
    await ana.page.keyboard.type("It is decided. ");
    await saved(ana.page);
    await dora.page.goto(path);
    await dora.page.locator('[contenteditable="false"][aria-label="Document text"]').waitFor();
  });

  it("[GRADE-7] comments beside the words for everybody, and receives no position in the log", async () => {
    const answers: string[] = [];
    dora.page.on("response", (response) => {
      if (new URL(response.url()).pathname.startsWith("/d/"))
        void response.text().then(
          (body) => answers.push(body),
          () => undefined,
        );
    });
    await select(dora.page, "It is decided");
    await dora.page.keyboard.press("Control+Shift+M");
    await dora.page.getByRole("textbox", { name: "Comment" }).fill("By whom?");
    await dora.page.keyboard.press("Control+Enter");
    await note(dora.page, "It is decided").getByText("By whom?").waitFor();
    await note(ana.page, "It is decided").getByText("By whom?").waitFor();
    await expect.poll(() => marked(ana.page).allInnerTexts()).toEqual(["It is decided"]);
    await expect.poll(() => marked(dora.page).allInnerTexts()).toEqual(["It is decided"]);
    answers.push(await (await dora.page.request.get(path)).text());
    expect(answers.at(-1)).toContain("By whom?");
    expect(answers.filter((body) => /"(start|anchor_start|clientIds)\\?"/.test(body))).toEqual([]);
    expect(await barriers(dora.page)).toEqual([]);
  });

  it("[GRADE-7] keeps the selection, and receives replies and new words live", async () => {
    await text(ana.page).click();
    await ana.page.keyboard.press("ControlOrMeta+Home");
    await ana.page.keyboard.type("After long talks: ");
    await saved(ana.page);
    await expect.poll(() => shown(dora).innerText()).toContain("After long talks: It is decided.");
    await expect.poll(() => marked(dora.page).allInnerTexts()).toEqual(["It is decided"]);
    await note(ana.page, "It is decided").click();
    await note(ana.page, "It is decided")
      .getByRole("textbox", { name: "Reply" })
      .fill("By the board.");
    await ana.page.keyboard.press("Control+Enter");
    await note(dora.page, "It is decided").click();
    await note(dora.page, "It is decided").getByText("By the board.").waitFor();
    await note(dora.page, "It is decided").getByRole("button", { name: "Resolve" }).click();
    await expect.poll(() => note(ana.page, "It is decided").count()).toBe(0);
    await note(dora.page, "It is decided").waitFor({ state: "detached" });
  });

  it("[A11Y-4] is named in a sentence without reordering the words and numbers after the name", async () => {
    await dora.page.goto("/account");
    await dora.page.getByLabel("Name").fill("דורה");
    await dora.page.getByRole("button", { name: "Save" }).first().click();
    await expect
      .poll(async () => {
        await ana.page.goto(`/w/${workspace}/members`);
        return ana.page.getByRole("list", { name: "Members" }).innerText();
      })
      .toContain("דורה");
    await ana.page.goto(path);
    await ana.page
      .getByRole("complementary", { name: "Comments" })
      .getByRole("radio", { name: "Resolved 1" })
      .check();
    const sentence = note(ana.page, "It is decided").getByText("Resolved by");
    await sentence.filter({ hasText: "דורה" }).waitFor();
    const [name, count] = await sentence.evaluate((element) =>
      ["דורה", "2"].map((words) => {
        const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
          const at = node.textContent?.indexOf(words) ?? -1;
          if (at < 0) continue;
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + words.length);
          const { left, right } = range.getBoundingClientRect();
          return { left, right };
        }
        throw new Error(`the sentence does not say ${words}`);
      }),
    );
    expect(name?.right).toBeLessThan(count?.left ?? 0);
  });

  it("[GRADE-1] is refused every state, event and segment of the text", async () => {
    expect((await dora.page.request.get(`${path}/segments`)).status()).toBe(404);
    expect((await carol.page.request.post(`${path}/thread`, { data: {} })).status()).toBe(400);
    // A read-only caller does not learn whether the words are there.
    const words = (words: string) => ({
      thread: randomUUID(),
      comment: randomUUID(),
      opened: { id: randomUUID() },
      added: { id: randomUUID() },
      words,
      near: 0,
      at: Number.MAX_SAFE_INTEGER,
      text: "Mine?",
    });
    for (const asked of ["It is decided", "Nobody wrote this"]) {
      expect(
        await (await carol.page.request.post(`${path}/thread`, { data: words(asked) })).json(),
      ).toMatchObject({ ok: false, refusal: { name: "not-permitted" } });
    }
    await dora.context.close();
  });
});
