import type { Page } from "playwright";
import { beforeAll, expect, it } from "vitest";
import type { Person } from "../support/person";
import { onceMore } from "../support/request";
import { sharedBrowser } from "../support/browser/shared-browser";
import { row, treeScene } from "../support/tree";

let ben: Person;
let workspace: string;

beforeAll(async () => {
  ({ ben, workspace } = await treeScene(await sharedBrowser(), ["House", "Garden", "Minutes"]));
});

const favourites = (page: Page) => page.getByRole("list", { name: "Favourites" }).getByRole("link");
// An unread mark may follow a title.
const favouriteOrder = async (page: Page) =>
  (await favourites(page).allInnerTexts()).map((words) => words.split(/\s/)[0]);

it("[HOME-8] favourites are reordered by mouse", async () => {
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

it("[HOME-8] favourites keep their new order when an older read arrives late", async () => {
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

it("[HOME-8] a favourite that could not be moved returns alone, with a reason", async () => {
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
  // The announcement contains the same words, with others before them.
  await page.getByText(words, { exact: true }).waitFor();
  await expect.poll(order).toEqual(["Minutes", "Garden", "House"]);
  await (await recorded).finished();
  await page.reload();
  await expect.poll(order).toEqual(["Minutes", "Garden", "House"]);
});
