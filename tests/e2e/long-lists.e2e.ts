import { randomUUID } from "node:crypto";
import type { Browser, Locator } from "playwright";
import { beforeAll, expect, it } from "vitest";
import { type RawProposal } from "@/events/core/envelope";
import { supabaseStore } from "@/events/log/store";
import { granted } from "@/tests/support/workspaces";
import { barriers } from "./support/axe";
import { type Person, person } from "./support/person";
import { sharedBrowser } from "./support/shared-browser";

let browser: Browser;
let ana: Person;
let workspace: string;

const event = (type: string, body: RawProposal["body"]): RawProposal => ({
  id: randomUUID(),
  type,
  body,
});

/** Makes documents by the API: as many by hand would take minutes. */
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
  await addDocuments(401);
  await addDocuments(201, event("document.trashed", {}));
});
/** Presses a list's "Show more" and expects the focus in the row that it brought first. */
async function pressMore(scope: Locator, name: string, rows: Locator, sentence: string) {
  const before = await rows.count();
  await scope.getByRole("button", { name, exact: true }).press("Enter");
  await expect.poll(() => rows.count()).toBeGreaterThan(before);
  const focused = rows.nth(before).locator("a, button").first();
  expect(await focused.evaluate((element) => element === document.activeElement)).toBe(true);
  const top = await focused.evaluate((element) => element.getBoundingClientRect().top);
  expect(top).toBeGreaterThanOrEqual(0);
  expect(top).toBeLessThan(ana.page.viewportSize()?.height ?? 0);
  await ana.page.getByText(sentence, { exact: true }).waitFor({ state: "attached" });
}

it("[DOCS-17] “Show more” below the tree leads to the first row that came, also the last time", async () => {
  const { page } = ana;
  await page.goto(`/w/${workspace}/members`);
  const tree = page.getByRole("navigation", { name: "Workspace" });
  const rows = tree.getByRole("listitem");
  const left = (words: Locator) => words.evaluate((shown) => shown.getBoundingClientRect().left);
  const more = await left(tree.getByText("Show more", { exact: true }));
  expect(more).toBe(await left(rows.first().getByText(/^Page/)));
  await pressMore(tree, "Show more documents", rows, "Showing 400 of 401.");
  await pressMore(tree, "Show more documents", rows, "Showing 401 of 401.");
  expect(await tree.getByRole("button", { name: "Show more documents" }).count()).toBe(0);
});

it("[DOCS-17] [A11Y-1] [A11Y-2] “Show more” of the trash does so on a narrow screen, too", async () => {
  const { page } = ana;
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`/w/${workspace}/trash`);
  const list = page.getByRole("list", { name: "Trash" });
  const rows = list.getByRole("listitem");
  const [shown, more] = await Promise.all(
    [list, page.getByRole("button", { name: "Show more" })].map((each) => each.boundingBox()),
  );
  expect((more?.y ?? 0) - (shown?.y ?? 0) - (shown?.height ?? 0)).toBeGreaterThanOrEqual(8);
  await pressMore(page.getByRole("main"), "Show more", rows, "Showing 201 of 201.");
  expect(await barriers(page)).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
});
