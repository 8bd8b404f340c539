import { readFile } from "node:fs/promises";
import { unzipSync, zipSync } from "fflate";
import type { Browser, Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { barriers } from "../support/browser/axe";
import { person } from "../support/person";
import type { Person } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
let ana: Person;

beforeAll(async () => {
  browser = await sharedBrowser();
  ana = await person(browser, "Ana");
});

const utf8 = (text: string) => new TextEncoder().encode(text);
/** One pixel. */
const picture = Uint8Array.from(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
    "base64",
  ),
);
const archive = {
  name: "reading-group.zip",
  mimeType: "application/zip",
  buffer: Buffer.from(
    zipSync({
      "Reading group.md": utf8(
        "# Reading group\n\nWe **meet** on Mondays.\n\n![A shelf](shelf.png)\n\n- [x] Chairs",
      ),
      "shelf.png": picture,
      "Reading group/Books.md": utf8("# Books\n\n| Title | By |\n| --- | --- |\n| Emma | Austen |"),
      "Reading group/Recipes.html": utf8("<h1>Recipes</h1><p>Tea<script>alert(1)</script></p>"),
      "Reading group/cat.png": utf8("no picture"),
    }),
  ),
};

const ooxml = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const names = `${ooxml} xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"`;
const run = (words: string) => `<w:r><w:t xml:space="preserve">${words}</w:t></w:r>`;
const comment = (id: number, author: string, words: string) =>
  `<w:comment w:id="${id}" w:author="${author}"><w:p w14:paraId="0${id}">${run(words)}</w:p></w:comment>`;
const minutes = {
  name: "Minutes.docx",
  mimeType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  buffer: Buffer.from(
    zipSync({
      "word/document.xml": utf8(
        `<w:document ${names}><w:body><w:p>${run("The ")}<w:commentRangeStart w:id="1"/>${run("roof")}` +
          `<w:commentRangeEnd w:id="1"/><w:r><w:commentReference w:id="1"/></w:r>` +
          `${run(" leaks in May.")}</w:p></w:body></w:document>`,
      ),
      "word/comments.xml": utf8(
        `<w:comments ${names}>${comment(1, "Ben", "Which roof?")}` +
          `${comment(2, "Carol", "That of the pier.")}</w:comments>`,
      ),
      "word/commentsExtended.xml": utf8(
        '<w15:commentsEx xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml">' +
          '<w15:commentEx w15:paraId="02" w15:paraIdParent="01" w15:done="0"/></w15:commentsEx>',
      ),
    }),
  ),
};

/** Opens the import dialog in the list of documents, and gives it a file. */
async function bring(page: Page, file: typeof archive): Promise<void> {
  await page.goto(`/w/${ana.workspace}`);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Import" });
  await dialog.getByLabel("File to import").setInputFiles(file);
}

describe("a file import", () => {
  it("[FORMAT-12] [FORMAT-14] [FORMAT-15] lists the files, makes a tree of them, and can be undone", async () => {
    const { page } = ana;
    await bring(page, archive);
    const dialog = page.getByRole("dialog", { name: "Import" });
    const list = dialog.getByRole("list", { name: "What comes in" });
    const titles = async () =>
      (await list.getByRole("listitem").allInnerTexts()).map((item) => item.split("\n")[0]);
    await expect.poll(titles).toEqual(["Reading group", "Books", "Recipes"]);
    await list.getByText("5 words, 1 image").waitFor();
    const left = dialog.getByRole("list", { name: "Not included" });
    await left.getByText("1 picture that no document shows").waitFor();
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    // In an unfocused window a toast stays, even while hovered: otherwise it could expire before a
    // slow page loads.
    await page.getByText(/^Imported 3 documents/).waitFor();
    await page.evaluate(() => dispatchEvent(new Event("blur")));
    await page.waitForURL((url) => url.pathname.startsWith("/d/"));
    const undo = page.getByRole("button", { name: "Undo" });
    await undo.hover();
    await expect
      .poll(() => page.getByLabel("Document text").innerText())
      .toContain("We meet on Mondays.");
    const shelf = page.getByLabel("Document text").getByRole("img", { name: "A shelf" });
    await expect
      .poll(() => shelf.evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBe(1);
    const tree = page.getByRole("tree", { name: "Documents" });
    await expect.poll(() => tree.innerText()).toContain("Reading group");
    await undo.click();
    await expect
      .poll(() => tree.count().then((n) => (n === 0 ? "" : tree.innerText())))
      .not.toContain("Reading group");
    await page.goto(`/w/${ana.workspace}/trash`);
    await page.getByText("Reading group").first().waitFor();
  });

  it("[FORMAT-13] says why it accepts nothing of a file, and asks for another", async () => {
    const { page } = ana;
    await page.goto(`/w/${ana.workspace}`);
    await page.getByRole("button", { name: "Import", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Import" });
    const bomb = zipSync({ "a.md": utf8("0".repeat(9_000_000)) });
    await dialog
      .getByLabel("File to import")
      .setInputFiles({ name: "bomb.zip", mimeType: "application/zip", buffer: Buffer.from(bomb) });
    await dialog
      .getByRole("alert")
      .filter({ hasText: /Nothing was imported.*zip bomb/ })
      .waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
  });

  it("[FORMAT-17] shows the comments of a Word file beside their words", async () => {
    const { page } = ana;
    await bring(page, minutes);
    const dialog = page.getByRole("dialog", { name: "Import" });
    await dialog.getByText("5 words, 2 comments").waitFor();
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/d/"));
    const thread = page.getByRole("article", { name: "Comment thread on “roof”" });
    await thread.getByText("Ben: Which roof?").waitFor();
    await thread.getByText("1 reply").click();
    await thread.getByText("Carol: That of the pier.").waitFor();
    expect(await barriers(page)).toEqual([]);
  });

  it("[FORMAT-18] restores a downloaded workspace with its tree and images", async () => {
    const { page } = ana;
    await bring(page, archive);
    const importing = page.getByRole("dialog", { name: "Import" });
    await importing.getByRole("button", { name: "Import", exact: true }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/d/"));
    await page.goto(`/w/${ana.workspace}/members`);
    // The first answer for a document gets lost: what has arrived by then is not requested again.
    let asked = 0;
    await page.route("**/download?as=md", (route) => {
      asked += 1;
      return asked === 2 ? route.abort() : route.continue();
    });
    const coming = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download workspace" }).click();
    await page.getByRole("button", { name: "Try again" }).click();
    const zip = await readFile(await (await coming).path());
    await page.getByText("The workspace is saved as one archive", { exact: true }).waitFor();
    expect(await barriers(page)).toEqual([]);
    const names = Object.keys(unzipSync(zip));
    const documents = names.filter((name) => name.endsWith(".md"));
    expect(asked).toBe(documents.length + 1);
    expect(documents).toEqual(
      expect.arrayContaining(["Reading group.md", "Reading group/Books.md", "Minutes.md"]),
    );
    expect(names.filter((name) => name.startsWith("files/")).length).toBe(1);

    await bring(page, { name: "all.zip", mimeType: "application/zip", buffer: zip });
    const list = importing.getByRole("list", { name: "What comes in" });
    await list.getByText("5 words, 1 image").waitFor();
    await expect.poll(() => list.getByRole("listitem").count()).toBe(documents.length);
  });
});
