import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "@/tests/support/product/browser";
import { accountOf } from "../support/browser/account-of-failure";

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
  page = await browser.newPage();
});
afterAll(() => browser.close());

it("the report of a failure has the main text, focus, selection and open layers", async () => {
  await page.setContent(`
    <nav>${"A list of documents. ".repeat(60)}</nav>
    <main><p>We correct promptly.</p><div contenteditable role="textbox" aria-label="Title"></div></main>
    <div role="toolbar" aria-label="Selection">Bold</div>
    <div role="toolbar" aria-label="Gone" style="display: none">Italic</div>
    <div role="dialog" aria-labelledby="name"><h2 id="name">Verify "history"</h2></div>
    <div role="tooltip">Undo</div>`);
  await page.getByRole("textbox").focus();
  await page.evaluate(() => getSelection()?.selectAllChildren(document.querySelector("p")!));
  // An account leaves out anything that takes the page too long.
  const account = async () => (await accountOf(page)).split("\n  ");
  await expect
    .poll(account)
    .toEqual([
      "about:blank",
      "We correct promptly.",
      'focus: textbox "Title"',
      'selected: "We correct promptly."',
      'open: toolbar "Selection", dialog "Verify \\"history\\"", tooltip "Undo"',
    ]);
});

it("the report of a failure covers an empty page and one that hangs", async () => {
  await page.goto("about:blank");
  expect(await accountOf(page)).toMatch(/focus: nothing\s+selected: nothing\s+open: nothing/);
  // It ends with its browser.
  page
    .evaluate(() => {
      for (;;);
    })
    .catch(() => undefined);
  expect(await accountOf(page)).toContain("(no answer)");
});
