import { beforeAll, expect, it } from "vitest";
import { barriers } from "../support/browser/axe";
import type { Person } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";
import { drawn, isFocused, row, shows, treeScene } from "../support/tree";

let ana: Person;
let ben: Person;
let documents: Record<string, string>;

beforeAll(async () => {
  ({ ana, ben, documents } = await treeScene(await sharedBrowser(), [
    "House",
    "Roof",
    "Garden",
    "Minutes",
  ]));
});

it("[TREE-7] a document moves into another by menu and keys, for both people at once, and back", async () => {
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
  // A toast stays while hovered.
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
});

it("[TREE-7] the focus stays where it went while a move was being recorded", async () => {
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

it("[TREE-7] a document is dragged into, before and after others by mouse", async () => {
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
  // A document cannot be dropped into its own branch.
  await drag("House", "Roof", 0.5);
  await shows(page, "House", "-Roof", "Garden", "Minutes");
  await shows(ana.page, "House", "-Roof", "Garden", "Minutes");
});

it("[TREE-7] a pressed row is dragged, or none if another has moved under the mouse", async () => {
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

it("[TREE-7] arrows, first letters, Home and End move through it, and keys open and rename", async () => {
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
  await expect.poll(() => row(page, "Roof").getAttribute("aria-current")).toBe("page");
});
