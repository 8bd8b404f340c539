import { beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright";
import { bringIn } from "@/tests/support/writers/writers";
import { newDocument, person, saved, text, writable } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});

test("[EDIT-35] an outline entry keeps the focus while others write above and in its heading", async () => {
  const [ana, ben] = [await person(browser, "Ana"), await person(browser, "Ben")];
  await bringIn(ana, ben, ana.workspace, "editor");
  await ana.page.setViewportSize({ width: 1280, height: 800 });
  const path = await newDocument(ana, "Long");
  await text(ana.page).click();
  for (const words of ["Above it all", "# First", "Words", "# Second", "Words", "# Third"]) {
    await ana.page.keyboard.type(words);
    await ana.page.keyboard.press("Enter");
  }
  await saved(ana.page);
  const outline = ana.page.getByRole("navigation", { name: "Outline" });
  const entry = (name: string) => outline.getByRole("button", { name, exact: true });
  const second = entry("Second");
  await second.focus();
  const names = () => outline.getByRole("button").allInnerTexts();
  // Read when the page is idle after a change.
  await expect.poll(names).toEqual(["First", "Second", "Third"]);
  const item = await second.elementHandle();

  await ben.page.goto(path);
  await writable(ben.page).click();
  await ben.page.keyboard.press("Control+Home");
  await ben.page.keyboard.type("Written ");
  await text(ana.page).getByText("Written Above it all").waitFor();
  await ben.page.keyboard.press("ArrowDown");
  await ben.page.keyboard.press("ArrowDown");
  await ben.page.keyboard.press("ArrowDown");
  await ben.page.keyboard.press("End");
  await ben.page.keyboard.type(" and more");
  await entry("Second and more").waitFor();
  await ben.page.keyboard.press("Control+Home");
  await ben.page.keyboard.type("# ");
  await entry("Written Above it all").waitFor();
  await expect.poll(names).toEqual(["Written Above it all", "First", "Second and more", "Third"]);
  expect(await item?.evaluate((element) => element === document.activeElement)).toBe(true);

  // It leads to the heading's current place.
  await ana.page.keyboard.press("Enter");
  await ana.page.keyboard.type("The ");
  await text(ana.page).getByText("The Second and more").waitFor();
  await Promise.all([ana, ben].map(({ context }) => context.close()));
});
