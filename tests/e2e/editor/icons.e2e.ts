import type { Browser, Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { bringIn } from "@/tests/support/writers/writers";
import { barriers } from "../support/browser/axe";
import { person, saved, text, titleBox, writable } from "../support/person";
import type { Person } from "../support/person";
import { hasFocus } from "../support/browser/layers";
import { revisionSlider, past } from "../support/player";
import { sharedDocument } from "../support/shared-document";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
let ana: Person;
let ben: Person;
let workspace: string;
let path: string;

beforeAll(async () => {
  browser = await sharedBrowser();
  ({ ana, ben, workspace, path } = await sharedDocument(browser, {
    title: "Tides",
    begun: "Low water at noon. ",
    ended: "High water at six.",
  }));
});

const add = (page: Page) => page.getByRole("button", { name: "Add icon" });
const change = (page: Page) => page.getByRole("button", { name: /^Change icon/ });
const picker = (page: Page) => page.getByRole("dialog", { name: "Icon" });
const search = (page: Page) => picker(page).getByRole("textbox", { name: "Search emoji by name" });
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
const row = (page: Page, list: "main" | "nav") =>
  page
    .locator(list)
    .getByRole(list === "nav" ? "treeitem" : "listitem")
    .filter({ hasText: "Tides" })
    .first();

describe("the icon of a document", () => {
  it("[ICON-4] loads its list on request, is found by name and chosen by keyboard", async () => {
    const { page } = ana;
    const scripts: string[] = [];
    page.on("response", (response) => scripts.push(response.url()));
    await page.goto(path);
    await writable(page).waitFor();
    await saved(page);
    const hasList = async () => {
      const bodies = await Promise.all(
        scripts
          .filter((url) => url.endsWith(".js"))
          .map(async (url) => (await page.request.get(url)).text()),
      );
      return bodies.some((body) => body.includes("grinning_face"));
    };
    expect(await hasList()).toBe(false);
    await add(page).focus();
    await page.keyboard.press("Enter");
    await hasFocus(search(page));
    await expect.poll(hasList).toBe(true);
    await page.keyboard.type("wat");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => focused(page)).not.toBe("");
    // Typing continues in the search field.
    await page.keyboard.type("er wav");
    await expect.poll(() => search(page).inputValue()).toBe("water wav");
    await picker(page).getByText("1 emoji").waitFor({ state: "attached" });
    await page.keyboard.press("Enter");
    await picker(page).waitFor({ state: "detached" });
    expect(await change(page).getAttribute("aria-label")).toBe("Change icon 🌊");
    await expect.poll(() => focused(page)).toBe("Change icon 🌊");
  });

  it(
    "[ICON-1] [ICON-3] reaches others at once: on the page, in the tree, the list and the " +
      "window's title",
    async () => {
      const elsewhere = await ben.context.newPage();
      await elsewhere.goto(`/w/${workspace}`);
      await ben.page.goto(path);
      await expect.poll(() => ben.page.title()).toMatch(/^🌊 Tides — /);
      await change(ben.page).waitFor();
      await expect.poll(() => row(ben.page, "nav").innerText()).toContain("🌊");
      await row(elsewhere, "main").getByText("🌊").waitFor();
      await change(ana.page).click();
      await search(ana.page).fill("world map");
      await search(ana.page).press("Enter");
      for (const page of [ana.page, ben.page]) {
        await expect.poll(() => page.title()).toMatch(/^🗺️ Tides — /);
        await expect.poll(() => row(page, "nav").innerText()).toContain("🗺️");
        await expect.poll(() => change(page).innerText()).toBe("🗺️");
      }
      await expect.poll(() => row(elsewhere, "main").innerText()).toContain("🗺️");
      await expect.poll(() => row(elsewhere, "main").innerText()).toContain("changed its icon");
      // Only the words of the title are a link.
      await row(elsewhere, "main").getByRole("link", { name: "Tides", exact: true }).waitFor();
      // The server-rendered page has it as well.
      const html = await (await ben.page.request.get(path)).text();
      expect(html).toContain("<title>🗺️ Tides — ");
      await elsewhere.close();
    },
  );

  it("[ICON-1] is visible to a viewer, without controls", async () => {
    const carol = await person(browser, "Carol");
    await bringIn(ana, carol, workspace, "viewer");
    await carol.page.goto(path);
    await carol.page.getByRole("img", { name: "Icon 🗺️" }).waitFor();
    await carol.page.getByRole("button", { name: "More", exact: true }).click();
    await carol.page.getByRole("menuitem", { name: "Copy link" }).waitFor();
    expect(await carol.page.getByRole("menuitem", { name: /icon/ }).count()).toBe(0);
    expect(await carol.page.getByRole("button", { name: /icon/i }).count()).toBe(0);
    await carol.context.close();
  });

  it("[ICON-1] appears at once without a network, and is sent when it returns", async () => {
    await ana.context.setOffline(true);
    await change(ana.page).click();
    await search(ana.page).fill("sailboat");
    await search(ana.page).press("Enter");
    await expect.poll(() => ana.page.title()).toContain("⛵ Tides");
    expect(await change(ben.page).innerText()).toBe("🗺️");
    await ana.context.setOffline(false);
    await expect.poll(() => change(ben.page).innerText()).toBe("⛵");
  });

  it("[ICON-6] comes with a fork", async () => {
    const { page } = ben;
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Fork this document" }).click();
    await page.getByRole("complementary", { name: "Fork" }).waitFor();
    await expect.poll(() => change(page).innerText()).toBe("⛵");
    await expect.poll(() => page.title()).toMatch(/^⛵ Tides \(fork\)/);
    await page.goto(path);
    await writable(page).waitFor();
  });

  it("[ICON-1] [ICON-5] is removed for everybody, recorded in the activity, and kept in the player", async () => {
    await change(ana.page).click();
    await picker(ana.page).getByRole("button", { name: "Remove icon" }).click();
    await add(ana.page).waitFor();
    await expect
      .poll(() => add(ana.page).evaluate((button) => button === document.activeElement))
      .toBe(true);
    await expect.poll(() => ben.page.title()).toMatch(/^Tides — /);
    await add(ben.page).waitFor();
    await expect.poll(() => row(ben.page, "nav").innerText()).not.toContain("⛵");

    await ben.page.goto(`/w/${workspace}/activity`);
    const happening = (words: string) => ben.page.getByRole("article").filter({ hasText: words });
    await happening("Ana changed its icon").first().waitFor();

    await ana.page.goto(`${path}?at=9999`);
    await revisionSlider(ana.page).waitFor();
    await past(ana.page).getByRole("heading", { name: "Tides" }).waitFor();
    const icon = past(ana.page).getByRole("img", { name: /^Icon/ });
    // The rest of the history may arrive after its beginning.
    await expect
      .poll(() => revisionSlider(ana.page).getAttribute("aria-valuetext"))
      .toContain("changed the icon");
    await expect.poll(() => icon.count()).toBe(0);
    for (const emoji of ["⛵", "🗺️", "🌊"]) {
      await revisionSlider(ana.page).press("ArrowLeft");
      await expect.poll(() => icon.getAttribute("aria-label")).toBe(`Icon ${emoji}`);
    }
    expect(await barriers(ana.page)).toEqual([]);
    await revisionSlider(ana.page).press("ArrowLeft");
    await expect.poll(() => icon.count()).toBe(0);
    await ana.page.goto(path);
    await titleBox(ana.page).waitFor();
    await text(ana.page).waitFor();
  });
});
