import type { Browser, Page } from "playwright";
import { beforeAll, expect, it } from "vitest";
import { bodyOf } from "@/events/core/recorded-body";
import { supabaseStore } from "@/events/log/store";
import { bringIn } from "@/tests/support/writers/writers";
import { newDocument, person, shownId, titleBox, writable } from "../support/person";
import type { Person } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
let ana: Person;
let ben: Person;

beforeAll(async () => {
  browser = await sharedBrowser();
  [ana, ben] = await Promise.all([person(browser, "Ana"), person(browser, "Ben")]);
});

/** The titles of a document in the log, in order. */
async function titles({ client }: Person, document: string): Promise<string[]> {
  const rows = await supabaseStore(client).read(document, 0);
  return rows.flatMap((row) => bodyOf(row, "document.renamed")?.title ?? []);
}

/** Changes a title like a translator that ignores `translate="no"`. */
const translate = (page: Page) =>
  titleBox(page).evaluate((box) => {
    const [outer, inner] = [document.createElement("font"), document.createElement("font")];
    inner.textContent = `Übersetzt: ${box.textContent}`;
    outer.append(inner);
    box.replaceChildren(outer);
  });

it("[TITLE-2] a translated title is no rename, and typed text then is the person's", async () => {
  const path = await newDocument(ana, "Minutes of May");
  const id = shownId(ana.page);
  const { page } = ana;
  expect(await titleBox(page).getAttribute("translate")).toBe("no");
  await translate(page);
  await titleBox(page).focus();
  await writable(page).click();
  await page.goto(`/w/${ana.workspace}`);
  await page.getByRole("link", { name: "Minutes of May" }).first().waitFor();
  expect(await titles(ana, id)).toEqual(["Minutes of May"]);

  await page.goto(path);
  await writable(page).waitFor();
  await titleBox(page).focus();
  await page.keyboard.press("End");
  await translate(page);
  await page.keyboard.type("!");
  await titleBox(page).press("Enter");
  await expect.poll(() => titles(ana, id)).toHaveLength(2);
  const [, typed = ""] = await titles(ana, id);
  expect(typed.replace("!", "")).toBe("Minutes of May");
});

it("[TITLE-3] [TITLE-4] two people in one title keep each other's words, and see the same", async () => {
  const path = await newDocument(ana, "Minutes");
  const id = shownId(ana.page);
  await bringIn(ana, ben, ana.workspace, "editor");
  await ben.page.goto(path);
  await writable(ben.page).waitFor();
  await expect.poll(() => titleBox(ben.page).innerText()).toBe("Minutes");
  // Neither receives the other's title before both have typed.
  await Promise.all([ana, ben].map(({ context }) => context.setOffline(true)));
  await titleBox(ana.page).focus();
  await ana.page.keyboard.press("Home");
  await ana.page.keyboard.type("Draft ");
  await titleBox(ana.page).press("Enter");
  await titleBox(ben.page).focus();
  await ben.page.keyboard.press("End");
  await ben.page.keyboard.type(" of May");
  await titleBox(ben.page).press("Enter");
  await Promise.all([ana, ben].map(({ context }) => context.setOffline(false)));
  for (const { page } of [ana, ben])
    await expect
      .poll(() => titleBox(page).innerText(), { timeout: 45_000 })
      .toBe("Draft Minutes of May");
  await expect.poll(async () => (await titles(ana, id)).at(-1)).toBe("Draft Minutes of May");
});
