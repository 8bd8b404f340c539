import type { Browser, Page } from "playwright";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { barriers, colorBarriers } from "../support/browser/axe";
import { newDocument, person, saved, text } from "../support/person";
import type { Person } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
let ana: Person;
let stranger: Page;
let routes: string[];

const open = [
  "/sign-in",
  "/sign-up",
  "/forgot-password",
  "/reset-password",
  "/auth/confirm",
  "/mail",
];

beforeAll(async () => {
  browser = await sharedBrowser();
  ana = await person(browser, "Ana");
  const { workspace } = ana;
  const path = await newDocument(ana, "Everything in one text");
  await text(ana.page).click();
  await ana.page.keyboard.type(
    "# Heading\nSome **bold** words.\n- one\ntwo\n\n[] a task\n\n> quoted\n\n",
  );
  await saved(ana.page);
  routes = [
    `/w/${workspace}`,
    `/w/${workspace}/members`,
    `/w/${workspace}/activity`,
    `/w/${workspace}/trash`,
    path,
    `${path}?at=3`,
    "/account",
    "/nowhere",
  ];
  stranger = await (
    await browser.newContext({ baseURL: inject("url"), reducedMotion: "reduce" })
  ).newPage();
});

async function settle(page: Page, route: string) {
  await page.goto(route);
  await page.getByRole("main").first().waitFor();
  if (route.includes("?at=")) await page.getByRole("slider", { name: "Moment" }).waitFor();
  else if (route.startsWith("/d/")) await text(page).waitFor();
}

/** By how many pixels the page is wider than its window. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}

const themes = ["light", "dark"] as const;

/** axe's findings in the light theme, and colour findings in the dark one. */
async function barriersInThemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  const found = await barriers(page);
  await page.emulateMedia({ colorScheme: "dark" });
  return [...found, ...(await colorBarriers(page)).map((barrier) => `dark: ${barrier}`)];
}

/** The maximum overflow of a narrow window in either theme, in pixels. */
async function overflowInThemes(page: Page): Promise<number> {
  await page.setViewportSize({ width: 320, height: 640 });
  const found: number[] = [];
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    found.push(await overflow(page));
  }
  return Math.max(...found);
}

describe("in the light and in the dark theme", () => {
  it("[A11Y-1] axe finds a contrast barrier and others", async () => {
    await settle(stranger, "/sign-in");
    await stranger.evaluate(() => {
      const image = document.createElement("img");
      const words = document.createElement("p");
      words.textContent = "Hardly there";
      words.setAttribute("style", "color: #bbb; background: #ccc");
      document.querySelector("main")?.append(image, words);
    });
    const rules = (found: string[]) => found.map((barrier) => barrier.split(":")[0]).toSorted();
    expect(rules(await barriers(stranger))).toEqual(["color-contrast", "image-alt"]);
    expect(rules(await barriers(stranger, "main"))).toEqual(["color-contrast", "image-alt"]);
    expect(rules(await barriers(stranger, "form"))).toEqual([]);
    await stranger.emulateMedia({ colorScheme: "dark" });
    expect(rules(await colorBarriers(stranger))).toEqual(["color-contrast"]);
  });

  it.each(open)(
    "[A11Y-1] [A11Y-2] axe finds no serious barrier at %s, and nothing scrolls sideways",
    async (route) => {
      await settle(stranger, route);
      expect(await barriersInThemes(stranger)).toEqual([]);
      expect(await overflowInThemes(stranger)).toBe(0);
      await stranger.setViewportSize({ width: 1280, height: 800 });
    },
  );

  it("[A11Y-1] [A11Y-2] axe finds none on any route of a workspace, and nothing scrolls sideways", async () => {
    const seen: object[] = [];
    for (const route of routes) {
      await settle(ana.page, route);
      const found = await barriersInThemes(ana.page);
      await ana.page.setViewportSize({ width: 320, height: 640 });
      // Opened as on a phone, where the page differs from that of a wide window.
      await settle(ana.page, route);
      seen.push({ route, found, overflow: await overflowInThemes(ana.page) });
      await ana.page.setViewportSize({ width: 1280, height: 800 });
    }
    expect(seen).toEqual(routes.map((route) => ({ route, found: [], overflow: 0 })));
  });
});

describe("the window's title", () => {
  it("[A11Y-5] is present in every frame, even between Next's old title and its new one", async () => {
    const { page } = ana;
    await settle(page, routes[0] ?? "/");
    // Only the page's own code knows this, so it runs.
    await page.getByRole("list", { name: "People online" }).getByText("You").waitFor();
    const before = await page.title();
    const seen = await page.evaluate(async () => {
      const frame = () => new Promise((settle) => requestAnimationFrame(settle));
      const title = document.head.querySelector("title");
      title?.remove();
      await frame();
      const between = document.title;
      document.head.append(title ?? "");
      await frame();
      return {
        between,
        after: document.title,
        count: document.head.querySelectorAll("title").length,
      };
    });
    expect(before).not.toBe("");
    expect(seen).toEqual({ between: before, after: before, count: 1 });
  });
});

describe("by keyboard alone", () => {
  it("[A11Y-3] a person signs up, creates a document, writes, and opens its history", async () => {
    const page = await (await browser.newContext({ baseURL: inject("url") })).newPage();
    const tabTo = async (name: RegExp) => {
      for (let step = 0; step < 60; step++) {
        await page.keyboard.press("Tab");
        const focused = await page.evaluate(() => {
          const element = document.activeElement;
          return element?.getAttribute("aria-label") ?? element?.textContent ?? "";
        });
        if (name.test(focused)) return;
      }
      throw new Error(`Tab never reached ${name}`);
    };
    await page.goto("/sign-up");
    await page.getByLabel("Name").focus();
    await page.keyboard.type("Ben");
    await page.keyboard.press("Tab");
    await page.keyboard.type(`keys.${Date.now()}@example.com`);
    await page.keyboard.press("Tab");
    await page.keyboard.type("a long enough passphrase");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/w\//);
    await tabTo(/New document/);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/d\//);
    await text(page).waitFor();
    await tabTo(/Document text|^$/);
    await text(page).focus();
    await page.keyboard.type("Typed without a mouse.");
    await saved(page);
    await page.keyboard.press("Control+Alt+Shift+H");
    await page.getByRole("slider", { name: "Moment" }).waitFor();
    await page.context().close();
  });
});
