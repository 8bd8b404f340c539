import { randomUUID } from "node:crypto";
import type { Browser, Locator } from "playwright";
import { beforeAll, expect, it } from "vitest";
import type { RawProposal } from "@/events/core/envelope";
import { supabaseStore } from "@/events/log/store";
import { granted } from "@/tests/support/writers/workspaces";
import { barriers } from "../support/browser/axe";
import { newDocument, person, saved, text } from "../support/person";
import type { Person } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
let ana: Person;
let workspace: string;

const event = (type: string, body: RawProposal["body"]): RawProposal => ({
  id: randomUUID(),
  type,
  body,
});

/** Creates documents through the API: by hand, so many would take minutes. */
async function addDocuments(count: number, ...then: RawProposal[]): Promise<void> {
  const store = supabaseStore(ana.client);
  const add = async (title: string) => {
    const created = event("document.created", { workspaceId: ana.workspace, title });
    const rest = then.map((each) => ({ ...each, id: randomUUID() }));
    granted(await store.append(randomUUID(), 0, [created, ...rest]));
  };
  const titles = Array.from({ length: count }, (_, at) => `Page ${at}`);
  while (titles.length > 0) await Promise.all(titles.splice(0, 20).map(add));
}

beforeAll(async () => {
  browser = await sharedBrowser();
  ana = await person(browser, "Ana");
  ({ workspace } = ana);
  await addDocuments(201);
  await addDocuments(101, event("document.trashed", {}));
});

const isFocused = (element: Locator) => element.evaluate((each) => each === document.activeElement);

const firstButton = (row: Locator) => row.locator("a, button").first();

/** Presses a list's "Show more" and expects the focus in the first new row. */
async function pressMore(
  scope: Locator,
  name: string,
  rows: Locator,
  sentence: string,
  focusable = firstButton,
) {
  const before = await rows.count();
  await scope.getByRole("button", { name, exact: true }).press("Enter");
  await expect.poll(() => rows.count()).toBeGreaterThan(before);
  const focused = focusable(rows.nth(before));
  // The rows are shown before the effect that focuses one.
  await expect.poll(() => isFocused(focused)).toBe(true);
  const isInView = () =>
    focused.evaluate((element) => {
      const { top } = element.getBoundingClientRect();
      return top >= 0 && top < innerHeight;
    });
  await expect.poll(isInView).toBe(true);
  await ana.page.getByText(sentence, { exact: true }).waitFor({ state: "attached" });
}

it("[DOCS-17] “Show more” below the tree leads to the first new row, the last time too", async () => {
  const { page } = ana;
  await page.goto(`/w/${workspace}/members`);
  const tree = page.getByRole("navigation", { name: "Workspace" });
  const rows = tree.getByRole("treeitem");
  const left = (words: Locator) => words.evaluate((shown) => shown.getBoundingClientRect().left);
  const more = await left(tree.getByText("Show more", { exact: true }));
  expect(more).toBe(await left(rows.first().getByText(/^Page/)));
  await pressMore(tree, "Show more documents", rows, "Showing 200 of 201.");
  await pressMore(tree, "Show more documents", rows, "Showing 201 of 201.");
  expect(await tree.getByRole("button", { name: "Show more documents" }).count()).toBe(0);
});

it("[DOCS-17] [A11Y-1] [A11Y-2] “Show more” in the trash does so on a narrow screen, too", async () => {
  const { page } = ana;
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`/w/${workspace}/trash`);
  const list = page.getByRole("list", { name: "Trash" });
  const rows = list.getByRole("listitem");
  const [shown, more] = await Promise.all(
    [list, page.getByRole("button", { name: "Show more" })].map((each) => each.boundingBox()),
  );
  expect((more?.y ?? 0) - (shown?.y ?? 0) - (shown?.height ?? 0)).toBeGreaterThanOrEqual(8);
  await pressMore(page.getByRole("main"), "Show more", rows, "Showing 101 of 101.");
  expect(await barriers(page)).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
});

it("[DOCS-17] “Show more” in the activity leads to the first new event", async () => {
  const { page } = ana;
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`/w/${workspace}/activity`);
  const feed = page.getByRole("feed", { name: "Activity" });
  const rows = feed.getByRole("article");
  const main = page.getByRole("main");
  for (const count of [200, 300, 400])
    await pressMore(main, "Show more", rows, `Showing ${count}.`, (row) => row);
  const more = main.getByRole("button", { name: "Show more" });
  // Late rows must not move a reader who has gone on meanwhile.
  let release = () => {};
  const held = new Promise<void>((settle) => (release = settle));
  await page.route("**/rest/v1/**", (route) => held.then(() => route.continue()));
  await more.press("Enter");
  await rows.first().focus();
  release();
  await page.getByText(/^Showing (\d+) of \1\.$/).waitFor({ state: "attached" });
  expect(await rows.count()).toBeGreaterThan(400);
  expect(await isFocused(rows.first())).toBe(true);
  await page.unroute("**/rest/v1/**");
});

it("[DOCS-17] “Show more” beside a text leads to the first new passage or author's words", async () => {
  const { page } = ana;
  await newDocument(ana, "The long minutes");
  await text(page).click();
  await text(page).evaluate((element) => {
    const clipboardData = new DataTransfer();
    const lines = Array.from({ length: 70 }, (_, line) => `Item ${line} was agreed upon.`);
    clipboardData.setData("text/plain", lines.join("\n"));
    element.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
    );
  });
  // A paste waits for the code that reads it.
  await text(page).getByText("Item 69 was").waitFor();
  await saved(page);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Authors" }).click();
  const panel = page.getByRole("complementary", { name: "Statistics" });
  const passages = panel.getByRole("listitem");
  await passages.first().waitFor();
  await pressMore(panel, "Show more passages", passages, "Showing 70 of 70.");
  await panel.getByRole("radio", { name: "Search" }).check();
  await panel.getByRole("searchbox").fill("agreed");
  const found = panel.getByRole("list", { name: "Found" }).getByRole("listitem");
  await expect.poll(() => found.count()).toBe(30);
  await pressMore(panel, "Show more", found, "Showing 60 of 70.");
  await pressMore(panel, "Show more", found, "Showing 70 of 70.");
  await panel.getByRole("searchbox").fill("agreed upon");
  await expect.poll(() => found.count()).toBe(30);
});
