import { randomUUID } from "node:crypto";
import type { Browser, Locator, Page } from "playwright";
import { beforeAll, expect, inject, it } from "vitest";
import { supabaseStore } from "@/events/log/store";
import { granted } from "@/tests/support/workspaces";
import { bringIn } from "@/tests/support/writers";
import { barriers } from "./support/axe";
import { person, saved, shownId, titleBox, writable, type Person } from "./support/person";
import { onceMore } from "./support/request";
import { sharedBrowser } from "./support/shared-browser";

let browser: Browser;
let ana: Person;
let ben: Person;
let workspace: string;
const documents: Record<string, string> = {};

/** Begins a document by the API. */
async function begin(title: string): Promise<void> {
  const id = randomUUID();
  const body = { workspaceId: workspace, title };
  const created = { id: randomUUID(), type: "document.created", body };
  granted(await supabaseStore(ana.client).append(id, 0, [created]));
  documents[title] = id;
}

beforeAll(async () => {
  browser = await sharedBrowser();
  [ana, ben] = [await person(browser, "Ana"), await person(browser, "Ben")];
  ({ workspace } = ana);
  for (const title of ["House", "Roof", "Garden", "Minutes"]) await begin(title);
  await bringIn(ana, ben, workspace, "editor");
  await Promise.all([ana, ben].map(({ page }) => page.goto(`/w/${workspace}/members`)));
});

const tree = (page: Page) => page.getByRole("tree", { name: "Documents" });
const row = (page: Page, title: string) =>
  tree(page).getByRole("treeitem", { name: title, exact: true });

/** The tree in lines, each document behind a dash for every level below the first. */
const drawn = (page: Page) =>
  tree(page)
    .getByRole("treeitem")
    .evaluateAll((rows) =>
      rows.map((item) => "-".repeat(Number(item.ariaLevel) - 1) + (item.ariaLabel ?? "")),
    );
const shows = (page: Page, ...lines: string[]) => expect.poll(() => drawn(page)).toEqual(lines);
const favourites = (page: Page) => page.getByRole("list", { name: "Favourites" }).getByRole("link");
// Behind a title may stand that it is unread.
const favouriteOrder = async (page: Page) =>
  (await favourites(page).allInnerTexts()).map((words) => words.split(/\s/)[0]);
const isFocused = (item: Locator) =>
  expect.poll(() => item.evaluate((shown) => shown === document.activeElement)).toBe(true);

it(
  "[TREE-7] shows documents in each other, moved by menu and by keys, to both " +
    "at once, with a way back",
  async () => {
    const { page } = ana;
    await shows(page, "House", "Roof", "Garden", "Minutes");
    await row(page, "Roof").hover();
    await row(page, "Roof").getByRole("button", { name: "Document actions" }).click();
    await page.getByRole("menuitem", { name: "Move to…" }).click();
    const dialog = page.getByRole("dialog", { name: "Move “Roof” to…" });
    await dialog.getByRole("option", { name: /^House/ }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.type("hou");
    await page.keyboard.press("Enter");
    await shows(page, "House", "-Roof", "Garden", "Minutes");
    await isFocused(row(page, "Roof"));
    // Under the pointer a toast stays.
    await page.getByText("Moved “Roof” into “House”", { exact: true }).hover();
    await shows(ben.page, "House", "Garden", "Minutes");
    await row(ben.page, "House").focus();
    await ben.page.keyboard.press("ArrowRight");
    await shows(ben.page, "House", "-Roof", "Garden", "Minutes");
    await page.getByRole("button", { name: "Undo" }).click();
    await shows(page, "House", "Roof", "Garden", "Minutes");
    await shows(ben.page, "House", "Roof", "Garden", "Minutes");

    await row(page, "Garden").focus();
    await page.keyboard.press("Alt+Shift+ArrowUp");
    await shows(page, "House", "Garden", "Roof", "Minutes");
    await isFocused(row(page, "Garden"));
    await page.keyboard.press("Alt+Shift+ArrowRight");
    await shows(page, "House", "-Garden", "Roof", "Minutes");
    await isFocused(row(page, "Garden"));
    await shows(ben.page, "House", "-Garden", "Roof", "Minutes");
    await page.keyboard.press("Alt+Shift+ArrowLeft");
    await shows(page, "House", "Garden", "Roof", "Minutes");
    await isFocused(row(page, "Garden"));
    await shows(ben.page, "House", "Garden", "Roof", "Minutes");
    await page.keyboard.press("Alt+Shift+ArrowDown");
    await shows(page, "House", "Roof", "Garden", "Minutes");
    await shows(ben.page, "House", "Roof", "Garden", "Minutes");
  },
);

it("[TREE-7] whoever goes on while a move is being recorded is not called back to its row", async () => {
  const { page } = ana;
  let release = () => {};
  const left = new Promise<void>((settle) => (release = settle));
  await page.route("**/rpc/append_events*", (route) => left.then(() => route.continue()));
  await row(page, "Roof").focus();
  await page.keyboard.press("Alt+Shift+ArrowRight");
  await shows(page, "House", "-Roof", "Garden", "Minutes");
  await isFocused(row(page, "Roof"));
  const elsewhere = page.getByRole("button", { name: "New document", exact: true }).first();
  await elsewhere.focus();
  release();
  await page.getByText("Moved “Roof” into “House”", { exact: true }).first().waitFor();
  await shows(ben.page, "House", "-Roof", "Garden", "Minutes");
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  await isFocused(elsewhere);
  await page.unrouteAll({ behavior: "wait" });
  await row(page, "Roof").focus();
  await page.keyboard.press("Alt+Shift+ArrowLeft");
  for (const { page: shown } of [ana, ben])
    await shows(shown, "House", "Roof", "Garden", "Minutes");
});

it("[TREE-7] is dragged into, before and behind others by mouse", async () => {
  const { page } = ben;
  const drag = async (title: string, onto: string, at: number) => {
    const { width = 0, height = 0 } = (await row(page, onto).boundingBox()) ?? {};
    await row(page, title)
      .getByRole("link")
      .dragTo(row(page, onto), { targetPosition: { x: width / 2, y: height * at } });
  };
  await drag("Minutes", "House", 0.1);
  await shows(page, "Minutes", "House", "Roof", "Garden");
  await drag("Roof", "House", 0.5);
  await shows(page, "Minutes", "House", "-Roof", "Garden");
  await drag("Minutes", "Garden", 0.9);
  await shows(page, "House", "-Roof", "Garden", "Minutes");
  // Nothing is dropped into its own branch.
  await drag("House", "Roof", 0.5);
  await shows(page, "House", "-Roof", "Garden", "Minutes");
  await shows(ana.page, "House", "-Roof", "Garden", "Minutes");
});

it("[TREE-7] a row that was pressed is dragged, or none where another has come under the mouse", async () => {
  const { page } = ben;
  const { x = 0, y = 0, height = 0 } = (await row(page, "Garden").boundingBox()) ?? {};
  const house = await row(page, "House").boundingBox();
  await page.mouse.move(x + 60, y + height / 2);
  await page.mouse.down();
  await row(ana.page, "Minutes").focus();
  await ana.page.keyboard.press("Alt+Shift+ArrowUp");
  await shows(page, "House", "-Roof", "Minutes", "Garden");
  const isRefused = page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        const hear = (event: Event) => resolve(event.defaultPrevented);
        addEventListener("dragstart", hear, { once: true });
      }),
  );
  await page.mouse.move(x + 60, (house?.y ?? 0) + 2, { steps: 5 });
  await page.mouse.up();
  expect(await isRefused).toBe(true);
  // A move would be shown at once.
  expect(await drawn(page)).toEqual(["House", "-Roof", "Minutes", "Garden"]);
  await ana.page.keyboard.press("Alt+Shift+ArrowDown");
  await shows(ana.page, "House", "-Roof", "Garden", "Minutes");
  await shows(page, "House", "-Roof", "Garden", "Minutes");
});

it("[HOME-8] favourites are put in another order by mouse", async () => {
  const { page } = ben;
  for (const title of ["House", "Garden", "Minutes"]) {
    await row(page, title).hover();
    await row(page, title).getByRole("button", { name: "Document actions" }).click();
    await page.getByRole("menuitem", { name: "Add to favourites" }).click();
  }
  const order = () => favouriteOrder(page);
  await expect.poll(order).toEqual(["House", "Garden", "Minutes"]);
  const link = (name: string) => favourites(page).filter({ hasText: name });
  await link("House").dragTo(link("Minutes"));
  await expect.poll(order).toEqual(["Garden", "Minutes", "House"]);
  await link("House").dragTo(link("Garden"));
  await expect.poll(order).toEqual(["House", "Garden", "Minutes"]);
  const other = await ben.context.newPage();
  await other.goto(`/w/${workspace}/members`);
  await expect.poll(() => favouriteOrder(other)).toEqual(["House", "Garden", "Minutes"]);
  await other.close();
});

it("[HOME-8] favourites stay in their new order when what was read before comes late", async () => {
  const { page } = ben;
  const order = () => favouriteOrder(page);
  const house = favourites(page).filter({ hasText: "House" });
  const late: (() => Promise<void>)[] = [];
  await page.route("**/rpc/read_personal", async (route) => {
    const response = await route.fetch(onceMore);
    if (late.length > 0) await route.fulfill({ response });
    else late.push(() => route.fulfill({ response }));
  });
  const written = page.waitForResponse("**/rpc/set_favourite");
  await house.focus();
  await page.keyboard.press("Alt+Shift+ArrowDown");
  await expect.poll(order).toEqual(["Garden", "House", "Minutes"]);
  await written;
  await expect.poll(() => late.length).toBe(1);
  const recorded = page.waitForResponse("**/rpc/read_personal");
  await house.focus();
  await page.keyboard.press("Alt+Shift+ArrowDown");
  await (await recorded).finished();
  await expect.poll(order).toEqual(["Garden", "Minutes", "House"]);
  await late[0]?.();
  await page.evaluate(() => new Promise((settle) => setTimeout(settle)));
  expect(await order()).toEqual(["Garden", "Minutes", "House"]);
  await page.unroute("**/rpc/read_personal");
});

it("[HOME-8] a favourite that could not be moved goes back, says why, and takes no other with it", async () => {
  const { page } = ben;
  const order = () => favouriteOrder(page);
  const move = async (name: string, key: string) => {
    await favourites(page).filter({ hasText: name }).focus();
    await page.keyboard.press(`Alt+Shift+${key}`);
  };
  await expect.poll(order).toEqual(["Garden", "Minutes", "House"]);
  let fail = () => {};
  const waits = new Promise<void>((resolve) => (fail = resolve));
  await page.route(
    "**/rpc/set_favourite",
    async (route) => {
      await waits;
      await route.abort();
    },
    { times: 1 },
  );
  await move("House", "ArrowUp");
  await move("Garden", "ArrowDown");
  await expect.poll(order).toEqual(["House", "Garden", "Minutes"]);
  const recorded = page.waitForResponse("**/rpc/set_favourite");
  fail();
  const words = "The server could not be reached. Nothing was changed; try again in a moment.";
  // What announces it has the same words, with others before them.
  await page.getByText(words, { exact: true }).waitFor();
  await expect.poll(order).toEqual(["Minutes", "Garden", "House"]);
  await (await recorded).finished();
  await page.reload();
  await expect.poll(order).toEqual(["Minutes", "Garden", "House"]);
});

it("[TREE-7] on a phone a finger that rests on a row opens its menu", async () => {
  const context = await browser.newContext({
    baseURL: inject("url"),
    viewport: { width: 390, height: 800 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: "reduce",
    storageState: await ana.context.storageState(),
  });
  const page = await context.newPage();
  await page.goto(`/w/${workspace}`);
  await page.getByRole("button", { name: "Pages" }).click();
  // What hears of fingers comes with what hears of keys.
  await expect
    .poll(async () => {
      await row(page, "House").focus();
      await page.keyboard.press("End");
      return row(page, "Minutes").evaluate((shown) => shown === document.activeElement);
    })
    .toBe(true);
  const box = await row(page, "Garden").boundingBox();
  if (!box) throw new Error("no place");
  const finger = await context.newCDPSession(page);
  const touchPoints = [{ x: box.x + 80, y: box.y + box.height / 2 }];
  await finger.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  await page.getByRole("menu", { name: "Document actions" }).waitFor();
  await finger.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  const rename = page.getByRole("menuitem", { name: "Rename" });
  await rename.waitFor();
  expect(new URL(page.url()).pathname).toBe(`/w/${workspace}`);
  expect(await barriers(page)).toEqual([]);
  // A menu behind the sheet would be there, and under no finger.
  await rename.tap();
  await isFocused(page.getByRole("dialog").getByRole("textbox"));
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").getByRole("textbox").waitFor({ state: "detached" });
  await row(page, "Garden").waitFor();

  // The sheet opens where the reader is, also where that is below what it has room for.
  const path = await row(page, "Minutes").getByRole("link").getAttribute("href");
  await page.setViewportSize({ width: 390, height: 440 });
  await page.goto(path ?? "");
  await page.getByRole("button", { name: "Pages" }).click();
  const isInSight = () =>
    row(page, "Minutes").evaluate((shown) => {
      const list = shown.closest("[role=tree]")?.parentElement?.getBoundingClientRect();
      const { top, bottom } = shown.getBoundingClientRect();
      return list !== undefined && top >= list.top - 1 && bottom <= list.bottom + 1;
    });
  await expect.poll(isInSight).toBe(true);
  await context.close();
});

it("[TREE-7] is walked by arrows, first letters, Home and End, opened and renamed by keys", async () => {
  const { page } = ana;
  await row(page, "House").focus();
  await page.keyboard.press("ArrowLeft");
  await shows(page, "House", "Garden", "Minutes");
  expect(await row(page, "House").getAttribute("aria-expanded")).toBe("false");
  await page.keyboard.press("*");
  await shows(page, "House", "-Roof", "Garden", "Minutes");
  await page.keyboard.press("ArrowRight");
  await isFocused(row(page, "Roof"));
  await page.keyboard.press("End");
  await isFocused(row(page, "Minutes"));
  await page.keyboard.press("ArrowUp");
  await isFocused(row(page, "Garden"));
  await page.keyboard.press("r");
  await isFocused(row(page, "Roof"));
  await page.keyboard.press("ArrowLeft");
  await isFocused(row(page, "House"));
  await page.keyboard.press("F2");
  await page.getByRole("textbox", { name: "New title" }).fill("The house");
  await page.keyboard.press("Enter");
  await row(ben.page, "The house").waitFor();
  await isFocused(row(page, "The house"));
  await page.keyboard.press("ArrowDown");
  await isFocused(row(page, "Roof"));
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/d/${documents["Roof"]}`);
  expect(await row(page, "Roof").getAttribute("aria-current")).toBe("page");
});

it("[TREE-8] a new document begins inside another one; its bar says where it is", async () => {
  const { page } = ana;
  await row(page, "Roof").hover();
  await row(page, "Roof").getByRole("button", { name: "New document inside" }).click();
  await page.waitForURL((url) => !url.pathname.endsWith(documents["Roof"] ?? ""));
  await writable(page).waitFor();
  const inside = shownId(page);
  await titleBox(page).fill("Tiles");
  await saved(page);
  await shows(page, "The house", "-Roof", "--Tiles", "Garden", "Minutes");
  const crumbs = page.getByRole("navigation", { name: "Breadcrumb" });
  const names = await crumbs.getByRole("listitem").allInnerTexts();
  expect(names.slice(1).map((name) => name.trim())).toEqual(["The house", "Roof", "Tiles"]);
  await crumbs.getByRole("link", { name: "The house" }).click();
  await page.waitForURL(`**/d/${documents["House"]}`);

  // The branch goes to the trash together, and whoever is in it reads on.
  await ben.page.goto(`/d/${inside}`);
  await writable(ben.page).waitFor();
  await row(page, "The house").focus();
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Move to trash" }).click();
  await shows(page, "Garden", "Minutes");
  await ben.page.getByText("in the trash, with “The house” in which it stands").waitFor();
  await ben.page.goto(`/w/${workspace}/trash`);
  const trash = ben.page.getByRole("list", { name: "Trash" });
  expect(await trash.getByRole("listitem").count()).toBe(1);
  await trash.getByText(/^Moved here by Ana, .*, with 2 inside$/).waitFor();
  expect(await trash.getByRole("button", { name: "Delete permanently" }).count()).toBe(0);
  await trash.getByRole("button", { name: "Restore The house" }).click();
  await shows(page, "The house", "-Roof", "--Tiles", "Garden", "Minutes");
});

it("[TREE-10] a document is duplicated behind itself, and others begin from a template", async () => {
  const { page } = ana;
  await row(page, "Garden").focus();
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Use as template" }).click();
  await isFocused(row(page, "Garden"));
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  await row(ben.page, "Garden copy").waitFor();
  await shows(page, "The house", "-Roof", "--Tiles", "Garden", "Garden copy", "Minutes");
  // Its page replaces the one that is shown, and a menu that is open on that goes with it.
  await titleBox(page).filter({ hasText: "Garden copy" }).waitFor();
  await page.getByRole("button", { name: "New from template" }).click();
  await page.getByRole("menuitem", { name: "Garden" }).click();
  await shows(page, "The house", "-Roof", "--Tiles", "Garden", "Garden copy", "Minutes", "Garden");
  // What has just begun takes the focus, once.
  await isFocused(titleBox(page).filter({ hasText: /^Garden$/ }));
});

it("[TREE-12] an owner deletes a document permanently, with what stands in it, by its title", async () => {
  const { page } = ana;
  await ben.page.goto(`/d/${documents["Roof"]}`);
  await writable(ben.page).waitFor();
  await row(page, "The house").focus();
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Move to trash" }).click();
  // The page must not be left before it is recorded.
  await ben.page.getByText("in the trash, with “The house” in which it stands").waitFor();
  await page.goto(`/w/${workspace}/trash`);
  await page.getByRole("button", { name: "Delete permanently: The house" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete “The house” permanently?" });
  await dialog.getByText("the 2 documents inside it").waitFor();
  await page.keyboard.press("Escape");
  await isFocused(page.getByRole("button", { name: "Delete permanently: The house" }));
  await page.keyboard.press("Enter");
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole("textbox").fill("House");
  await dialog.getByRole("button", { name: "Delete permanently" }).click();
  await dialog.getByText("This is not the title. Nothing was deleted.").waitFor();
  await dialog.getByRole("textbox").fill("The house");
  await dialog.getByRole("button", { name: "Delete permanently" }).click();
  await page.getByText("The trash is empty.").waitFor();
  // It closes when that is recorded, and keeps the focus until then.
  await dialog.waitFor({ state: "detached" });
  await ben.page.getByRole("heading", { name: "This document was deleted permanently" }).waitFor();
  await ben.page.reload();
  await ben.page.getByRole("heading", { name: "Document not found" }).waitFor();
});

it(
  "[TREE-7] [A11Y-1] has no serious barrier with a menu open, in both themes, and " +
    "stands in a sheet on a phone",
  async () => {
    const { page } = ana;
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await row(page, "Minutes").focus();
      await page.keyboard.press("Shift+F10");
      await page.getByRole("menuitem", { name: "Move to…" }).waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await isFocused(row(page, "Minutes"));
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Pages" }).click();
    await row(page, "Minutes").waitFor();
    expect(await barriers(page)).toEqual([]);
    await row(page, "Minutes").getByRole("link").click();
    await page.waitForURL(`**/d/${documents["Minutes"]}`);
  },
);
