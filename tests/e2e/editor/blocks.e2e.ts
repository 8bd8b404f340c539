import type { Browser, Page } from "playwright";
import { beforeAll, expect, test } from "vitest";
import type { Copied } from "@/events/formats/foreign/copied.fixture";
import { copiedFromGoogle } from "@/events/formats/foreign/google.fixture";
import { copiedCode } from "@/events/formats/foreign/code.fixture";
import { copiedFromOffice } from "@/events/formats/foreign/office.fixture";
import { newDocument, person, saved, text, writable } from "../support/person";
import type { Person } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
let ana: Person;
beforeAll(async () => {
  browser = await sharedBrowser();
  ana = await person(browser, "Ana");
});
/**
 * The content of a new document after these keys, as HTML without what the browser adds for its
 * caret.
 */
async function written(keys: readonly string[]): Promise<string> {
  await newDocument(ana);
  await text(ana.page).click();
  for (const key of keys) {
    if (/^(Enter|Backspace|Delete|Home|End|Tab|ArrowUp|ArrowDown|Control[+].+)$/.test(key))
      await ana.page.keyboard.press(key);
    else await ana.page.keyboard.type(key);
  }
  return text(ana.page).evaluate((element) =>
    element.innerHTML.replace(
      /<br class="ProseMirror-trailingBreak">|<img class="ProseMirror-separator"[^>]*>/g,
      "",
    ),
  );
}

const pasteHtml = (page: Page, html: string) =>
  text(page).evaluate((element, copied) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/html", copied);
    clipboardData.setData("text/plain", "not this");
    element.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
    );
  }, html);

test("Markdown signs around words become marks", async () => {
  expect(await written(["**so** __so__ *so* _so_ ~~so~~ `so` it`s `so`"])).toBe(
    "<p><strong>so</strong> <strong>so</strong> <em>so</em> <em>so</em> <s>so</s> " +
      "<code>so</code> it<code>s </code>so`</p>",
  );
});

test("Markdown signs at a line's start become blocks, which Enter continues", async () => {
  expect(
    await written([
      "## ",
      "Hours",
      "Enter",
      "> ",
      "quoted",
      "Enter",
      "Enter",
      "3. ",
      "three",
      "Enter",
      "four",
      "Tab",
      "Enter",
      "Enter",
      "Enter",
      "[x] ",
      "done",
      "Enter",
      "not",
    ]),
  ).toBe(
    '<h3 data-level="2">Hours</h3><blockquote><p>quoted</p></blockquote>' +
      '<ol start="3"><li><p>three</p><ol><li><p>four</p></li></ol></li></ol>' +
      '<ul data-type="taskList">' +
      '<li data-checked="true" data-type="taskItem"><label contenteditable="false"><input ' +
      'type="checkbox" aria-label="Done" tabindex="-1" ' +
      'checked=""></label><div><p>done</p></div></li>' +
      '<li data-checked="false" data-type="taskItem"><label contenteditable="false"><input ' +
      'type="checkbox" aria-label="Done" ' +
      'tabindex="-1"></label><div><p>not</p></div></li></ul>',
  );
});

test("shortcuts make marks and blocks", async () => {
  const marks = ["b", "i", "u", "Shift+x", "Shift+s", "e"].map((key) => `Control+${key}`);
  expect(await written(marks.flatMap((key, at) => [key, String(at), key]))).toBe(
    "<p><strong>0</strong><em>1</em><u>2</u><s>34</s><code>5</code></p>",
  );
  const headings = ["Control+Alt+1", "1", "Enter", "Control+Alt+2", "2", "Enter", "Control+Alt+3"];
  const holders = ["b", "7", "8"].flatMap((key) => [`Control+Shift+${key}`, key, "Enter", "Enter"]);
  const rest = ["Control+Shift+9", "9", "Enter", "Enter", "Control+Alt+c", "c"];
  expect(await written([...headings, "3", "Enter", ...holders, ...rest])).toBe(
    '<h2 data-level="1">1</h2><h3 data-level="2">2</h3><h4 data-level="3">3</h4>' +
      "<blockquote><p>b</p></blockquote><ol><li><p>7</p></li></ol><ul><li><p>8</p></li></ul>" +
      '<ul data-type="taskList"><li data-checked="false" data-type="taskItem"><label contenteditable="false">' +
      '<input type="checkbox" aria-label="Done" tabindex="-1"></label><div><p>9</p></div></li></ul>' +
      '<pre><code spellcheck="false">c</code></pre>',
  );
});

test("[ADMIT-10] code in an unknown language stays within the log's limits, typed or pasted", async () => {
  const language = "a".repeat(60);
  await written([`\`\`\`${language} `, "typed", "Enter", "Enter", "Enter"]);
  await text(ana.page).evaluate((element, mode) => {
    const paste = (kinds: Record<string, string>) => {
      const clipboardData = new DataTransfer();
      for (const [kind, data] of Object.entries(kinds)) clipboardData.setData(kind, data);
      element.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
      );
    };
    paste({ "text/plain": "long ", "vscode-editor-data": JSON.stringify({ mode }) });
    paste({ "text/plain": "broken ", "vscode-editor-data": "{" });
    paste({
      "text/plain": "pasted",
      "text/html": `<p>and</p><pre><code class="language-${mode}">pasted</code></pre>`,
    });
  }, language);
  // Pastes wait for the code that reads them.
  await text(ana.page).locator("pre").getByText("pasted").waitFor();
  await saved(ana.page);
  await ana.page.reload();
  await writable(ana.page).waitFor();
  expect(await text(ana.page).evaluate((element) => element.innerHTML)).toBe(
    '<pre><code spellcheck="false">typed</code></pre><p>long broken and</p><pre><code ' +
      'spellcheck="false">pasted</code></pre>',
  );
  await ana.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await ana.page.getByRole("button", { name: "More", exact: true }).click();
  await ana.page.getByRole("menuitem", { name: "Copy as Markdown" }).click();
  const kept = language.slice(0, 32);
  await expect
    .poll(() => ana.page.evaluate(() => navigator.clipboard.readText()))
    .toBe(
      `# Untitled\n\n\`\`\`${kept}\ntyped\n\`\`\`\n\nlong broken and\n\n\`\`\`${kept}\npasted\n\`\`\`\n`,
    );
});

test("a third Enter or the down arrow leaves a code block, and Backspace removes an empty one", async () => {
  expect(
    await written([
      "```ts ",
      "a",
      "Enter",
      "Enter",
      "Enter",
      "b",
      "Enter",
      "``` ",
      "x",
      "Backspace",
      "Backspace",
      "c",
      "Enter",
      "``` ",
      "d",
      "ArrowDown",
      "e",
    ]),
  ).toBe(
    '<pre><code spellcheck="false">a</code></pre><p>b</p><p>c</p><pre><code ' +
      'spellcheck="false">d</code></pre><p>e</p>',
  );
});

test("Backspace joins a line to the quotation before it, or lifts it out of its own", async () => {
  expect(
    await written(["> ", "one", "Enter", "two", "Enter", "Enter", "three", "Home", "Backspace"]),
  ).toBe("<blockquote><p>one</p><p>twothree</p></blockquote>");
  expect(await written(["> ", "one", "Enter", "two", "Home", "Backspace"])).toBe(
    "<blockquote><p>one</p></blockquote><p>two</p>",
  );
});

test("Delete before a branching nested list lifts its items", async () => {
  const keys = [
    "- ",
    "a",
    "Enter",
    "Tab",
    "b",
    "Enter",
    "Tab",
    "c",
    "ArrowUp",
    "ArrowUp",
    "End",
    "Delete",
  ];
  expect(await written(keys)).toBe(
    "<ul><li><p>a</p></li><li><p>b</p><ul><li><p>c</p></li></ul></li></ul>",
  );
});

test("[EDIT-38] Tab stays in the text, and leaves it after Esc", async () => {
  expect(await written(["abc", "Tab", " def"])).toBe("<p>abc def</p>");
  expect(await written(["``` ", "if", "Tab", "x"])).toBe(
    '<pre><code spellcheck="false">if  x</code></pre>',
  );
  const focused = () => ana.page.evaluate(() => document.activeElement?.id);
  expect(await focused()).toBe("text");
  await ana.page.keyboard.press("Escape");
  await ana.page.keyboard.press("Tab");
  expect(await focused()).not.toBe("text");
});

test("[EDIT-37] “Delete row” and then “Delete column” apply at the caret", async () => {
  await newDocument(ana);
  const { page } = ana;
  await text(page).click();
  await page.keyboard.type("/table");
  await page.getByRole("option", { name: "Table" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("toolbar", { name: "Table" }).waitFor();
  for (const letter of "abcdef") {
    await page.keyboard.type(letter);
    await page.keyboard.press("Tab");
  }
  await text(page).getByText("e", { exact: true }).click();
  await page.getByRole("button", { name: "Delete row" }).click();
  await page.getByRole("button", { name: "Delete column" }).click();
  await expect.poll(() => text(page).locator("tr").first().innerText()).toMatch(/^a\s+c$/);
});

test("[EDIT-13] lists copied from Word keep their kind and nesting", async () => {
  const item = (words: string, sign: string, list: number, level: number) =>
    `<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l${list} ` +
    `level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol'>` +
    `<span style='mso-list:Ignore'>${sign}<span style='font:7.0pt "Times New ` +
    `Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>${words}<o:p></o:p></p>`;
  await newDocument(ana);
  await text(ana.page).click();
  const copied =
    "<html " +
    `xmlns:o="urn:schemas-microsoft-com:office:office"><body><!--StartFragment--><p ` +
    "class=MsoNormal>To <b>bring</b><o:p></o:p></p>" +
    [
      item("lamps", "·", 0, 1),
      item("batteries", "o", 0, 2),
      item("spare", "§", 0, 3),
      item("rope", "·", 0, 1),
      item("knots", "3.", 1, 1),
      item("bowline", "a)", 1, 2),
    ].join("\n") +
    `<p class=MsoNormal>and o. this<o:p></o:p></p><!--EndFragment--></body></html>`;
  await pasteHtml(ana.page, copied);
  await expect
    .poll(() => text(ana.page).innerHTML())
    .toBe(
      "<p>To <strong>bring</strong></p>" +
        "<ul><li><p>lamps</p><ul><li><p>batteries</p><ul><li><p>spare</p></li></ul></li></ul></li>" +
        "<li><p>rope</p></li></ul>" +
        '<ol start="3"><li><p>knots</p><ol><li><p>bowline</p></li></ol></li></ol>' +
        "<p>and o. this</p>",
    );
});

const item = (done: boolean, words: string) =>
  `<li data-checked="${done}" data-type="taskItem"><label contenteditable="false"><input ` +
  `type="checkbox" aria-label="Done" tabindex="-1"${done ? ' checked=""' : ""}></label><div>` +
  `<p>${words}</p></div></li>`;

test.each<[kind: string, corpus: readonly Copied[], html: string]>([
  [
    "Google Docs: a checklist",
    copiedFromGoogle,
    `<ul data-type="taskList">${item(false, "Call the bank")}${item(true, "Order slate")}</ul>`,
  ],
  [
    "Excel: cells, a row that is hidden, and a heading by class",
    copiedFromOffice,
    '<div class="table"><table><tbody><tr><th><p>Day</p></th><th><p>Hours</p></th></tr>' +
      "<tr><td><p>Monday</p></td><td><p>9</p></td></tr></tbody></table></div>",
  ],
  [
    "VS Code, where nothing else says what it is",
    copiedCode,
    '<pre><code spellcheck="false">if (a &lt; b) {\n  return c;\n\n}</code></pre>',
  ],
])("[EDIT-60] what is copied from %s comes in as what it is", async (kind, corpus, expected) => {
  await newDocument(ana);
  await text(ana.page).click();
  await pasteHtml(ana.page, corpus.find(({ from }) => from === kind)?.html ?? "");
  await expect.poll(() => text(ana.page).innerHTML()).toContain(expected);
  await saved(ana.page);
});

test("[EDIT-72] a paste before its reader has loaded keeps its format", async () => {
  const pattern = "**/_next/static/chunks/**/*.js";
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await newDocument(ana);
  await saved(ana.page);
  // The chunk that reads Word lists, found by a string in its code.
  await ana.context.route(pattern, async (route) => {
    const response = await route.fetch();
    if ((await response.text()).includes("mso-list")) await released;
    await route.fulfill({ response });
  });
  await ana.page.reload();
  await writable(ana.page).waitFor();
  await text(ana.page).click();
  await ana.page.keyboard.type("Before.");
  await ana.page.keyboard.press("Enter");
  const code = copiedCode.find(({ from }) => from.startsWith("VS Code, where"));
  await pasteHtml(ana.page, code?.html ?? "");
  await ana.page.keyboard.type("After.");
  expect(await text(ana.page).locator("p").allInnerTexts()).toEqual(["Before.", "After."]);
  release();
  await expect.poll(() => text(ana.page).locator("pre").innerText()).toContain("if (a < b) {");
  expect(await text(ana.page).innerText()).toMatch(/^Before\.\s*if [^]*After\.$/);
  await ana.page.keyboard.type("End.");
  expect(await text(ana.page).innerText()).toMatch(/After\.End\.$/);
  await saved(ana.page);
  await ana.context.unroute(pattern);
});

test("[EDIT-75] a key, a cut and a paste act on the shown selection before it is announced", async () => {
  await newDocument(ana);
  await text(ana.page).click();
  const shown = async (words: string, act: "Enter" | "cut" | "paste") => {
    await ana.page.keyboard.press("Control+a");
    await ana.page.keyboard.type(words);
    await ana.page.keyboard.press("Control+a");
    // One task: the browser announces the caret's new place only after it.
    await text(ana.page).evaluate((element, kind) => {
      const paragraph = element.querySelector("p")?.firstChild ?? element;
      if (kind === "cut") getSelection()?.setBaseAndExtent(paragraph, 0, paragraph, 4);
      else getSelection()?.collapse(paragraph, 4);
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", "all ");
      const how = { bubbles: true, cancelable: true };
      element.dispatchEvent(
        kind === "Enter"
          ? new KeyboardEvent("keydown", { key: "Enter", keyCode: 13, ...how })
          : new ClipboardEvent(kind, { clipboardData, ...how }),
      );
    }, act);
    return text(ana.page).locator("p").allInnerTexts();
  };
  expect(await shown("The office moved.", "Enter")).toEqual(["The ", "office moved."]);
  expect(await shown("We are here.", "cut")).toEqual(["re here."]);
  await expect.poll(() => shown("Now we go.", "paste")).toEqual(["Now all we go."]);
  await saved(ana.page);
});

test("[EDIT-63] a double click behind a line leaves the next line alone", async () => {
  await written(["First words.", "Enter", "Second", "Enter"]);
  const { page } = ana;
  const lines = text(page).locator("p");
  const behind = async (line: number) => {
    const box = await lines.nth(line).boundingBox();
    if (box !== null) await page.mouse.dblclick(box.x + box.width - 4, box.y + box.height / 2);
  };
  await behind(0);
  await page.keyboard.type("lines");
  expect(await lines.allInnerTexts()).toEqual(["First lines.", "Second", "\n"]);
  await behind(2);
  await page.keyboard.type("Third");
  expect(await lines.allInnerTexts()).toEqual(["First lines.", "Second", "Third"]);
});

test("the placeholder disappears with the first letter, and stays away after a line break", async () => {
  await newDocument(ana);
  const invitation = () =>
    text(ana.page)
      .locator("p")
      .first()
      .evaluate((element) => getComputedStyle(element, "::before").content);
  expect(await invitation()).toContain("Write");
  await text(ana.page).click();
  await ana.page.keyboard.type("one");
  await ana.page.keyboard.press("Shift+Enter");
  await ana.page.keyboard.type("two");
  expect([await text(ana.page).locator("p > br").count(), await invitation()]).toEqual([1, "none"]);
});
