import { zipSync } from "fflate";
import type { Browser } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { barriers } from "./support/axe";
import { type Person, person } from "./support/person";
import { sharedBrowser } from "./support/shared-browser";

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

describe("an import of files", () => {
  it("[FORMAT-12] [FORMAT-14] [FORMAT-15] lists what comes in, makes a tree of it, and takes it back", async () => {
    const { page } = ana;
    await page.goto(`/w/${ana.workspace}`);
    await page.getByRole("button", { name: "Import", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Import" });
    await dialog.getByLabel("File to import").setInputFiles(archive);
    const list = dialog.getByRole("list", { name: "What comes in" });
    await list.waitFor();
    expect(
      (await list.getByRole("listitem").allInnerTexts()).map((item) => item.split("\n")[0]),
    ).toEqual(["Reading group", "Books", "Recipes"]);
    await list.getByText("5 words, 1 image").waitFor();
    const left = dialog.getByRole("list", { name: "Not included" });
    await left.getByText("1 picture that no document shows").waitFor();
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/d/"));
    await expect
      .poll(() => page.getByLabel("Document text").innerText())
      .toContain("We meet on Mondays.");
    const shelf = page.getByLabel("Document text").getByRole("img", { name: "A shelf" });
    await expect
      .poll(() => shelf.evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBe(1);
    const tree = page.getByRole("tree", { name: "Documents" });
    await expect.poll(() => tree.innerText()).toContain("Reading group");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect
      .poll(() => tree.count().then((n) => (n === 0 ? "" : tree.innerText())))
      .not.toContain("Reading group");
    await page.goto(`/w/${ana.workspace}/trash`);
    await page.getByText("Reading group").first().waitFor();
  });

  it("[FORMAT-13] says why it takes nothing of a file, and asks for another", async () => {
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
});
