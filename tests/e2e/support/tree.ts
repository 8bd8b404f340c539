import { randomUUID } from "node:crypto";
import type { Browser, Locator, Page } from "playwright";
import { expect, vi } from "vitest";
import { supabaseStore } from "@/events/log/store";
import { granted } from "@/tests/support/writers/workspaces";
import { bringIn } from "@/tests/support/writers/writers";
import { person } from "./person";
import type { Person } from "./person";

type TreeScene = { ana: Person; ben: Person; workspace: string; documents: Record<string, string> };

/**
 * Creates Ana's workspace with these documents in order, by title, and Ben as an editor. Both pages
 * are live. `inside` names the parent of a document.
 */
export async function treeScene(
  browser: Browser,
  titles: readonly string[],
  inside: Record<string, string> = {},
): Promise<TreeScene> {
  const [ana, ben] = [await person(browser, "Ana"), await person(browser, "Ben")];
  const { workspace } = ana;
  const documents: Record<string, string> = {};
  const store = supabaseStore(ana.client);
  for (const title of titles) {
    const id = randomUUID();
    const parent = documents[inside[title] ?? ""];
    const begun = [
      { id: randomUUID(), type: "document.created", body: { workspaceId: workspace, title } },
      ...(parent === undefined
        ? []
        : [{ id: randomUUID(), type: "document.moved", body: { parent, after: null } }]),
    ];
    granted(await store.append(id, 0, begun));
    documents[title] = id;
  }
  await bringIn(ana, ben, workspace, "editor");
  await Promise.all(
    [ana, ben].map(async ({ page }) => {
      await page.goto(`/w/${workspace}/members`);
      // Keys and mouse work once the page's own code runs.
      await vi.waitUntil(
        async () => {
          await row(page, titles[0] ?? "").press("End");
          return row(page, titles.at(-1) ?? "").evaluate((it) => it === document.activeElement);
        },
        { timeout: 60_000 },
      );
    }),
  );
  return { ana, ben, workspace, documents };
}

const tree = (page: Page) => page.getByRole("tree", { name: "Documents" });

/** The row of a document in the tree. */
export const row = (page: Page, title: string) =>
  tree(page).getByRole("treeitem", { name: title, exact: true });

/** Returns the tree as lines, with a dash per level below the first. */
export const drawn = (page: Page) =>
  tree(page)
    .getByRole("treeitem")
    .evaluateAll((rows) =>
      rows.map((item) => "-".repeat(Number(item.ariaLevel) - 1) + (item.ariaLabel ?? "")),
    );

/** Waits until the tree has these lines. */
export const shows = (page: Page, ...lines: string[]) =>
  expect.poll(() => drawn(page)).toEqual(lines);

/** Waits until this element has the focus. */
export const isFocused = (item: Locator) =>
  expect.poll(() => item.evaluate((shown) => shown === document.activeElement)).toBe(true);
