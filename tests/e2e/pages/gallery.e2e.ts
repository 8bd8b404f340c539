import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Locator, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { barriers } from "../support/browser/axe";
import { reloadGallery, showGallery } from "../support/bundles/gallery-page";
import { person } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
it("a built product answers 404 for the gallery, even with a session", async () => {
  const { page, context } = await person(browser, "Ana");
  const response = await page.goto("/gallery");
  expect(response?.status()).toBe(404);
  await context.close();
});

it("no script or route of a build contains the gallery", () => {
  const words = /components\/gallery|In development only/;
  const scripts = readdirSync(".next/static", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".js"))
    .map((file) => join(".next/static", file));
  expect(scripts.length).toBeGreaterThan(0);
  expect(scripts.filter((file) => words.test(readFileSync(file, "utf8")))).toEqual([]);
  const routes = readFileSync(".next/server/app-paths-manifest.json", "utf8");
  expect(routes).toContain("/d/[document]/page");
  expect(routes).not.toContain("gallery");
});

const schemes = ["light", "dark"] as const;

const wide = { width: 1280, height: 800 };
const narrow = { width: 320, height: 640 };

const screens = [
  { size: wide, schemes },
  { size: narrow, schemes: ["light"] },
] as const;

type Role = Parameters<Page["getByRole"]>[0];

/** The control that opens a layer above the page, by role and name, and the layer's selector. */
type Layer = readonly [role: Role, name: string, layer: string];

const selects = ["Role, plain", "Role, edged"];

const dialogs = [
  "Dialog",
  "Dialog, sheet at the side",
  "Dialog, sheet at the start",
  "Dialog that must be answered",
  "Interruption",
];

const toasts = ["Show a toast", "Show a toast with an action"];

const layers: Layer[] = [
  ["button", "Document menu", "[role=menu]"],
  ...selects.map((name): Layer => ["combobox", name, "[role=listbox]"]),
  ...dialogs.map((name): Layer => ["button", name, "[role=dialog]"]),
  ...toasts.map((name): Layer => ["button", name, "[aria-label^=Notices] li"]),
  // The text for screen readers is hidden inside the visible element.
  ["button", "Bold", ":has(> [role=tooltip])"],
];

describe("the gallery", () => {
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    context = await browser.newContext({ reducedMotion: "reduce", viewport: wide });
    page = await context.newPage();
    await showGallery(page);
  });
  afterAll(() => context.close());

  const barriersIn = async (colorScheme: (typeof schemes)[number], within?: string) => {
    await page.emulateMedia({ colorScheme });
    return barriers(page, within);
  };
  const overflow = () =>
    page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
  /** Closes everything in the gallery; reloads the page if Escape does not close a layer. */
  const closeLayer = async (opened: Locator) => {
    await page.mouse.move(0, 0);
    await page.keyboard.press("Escape");
    await opened.waitFor({ state: "hidden", timeout: 500 }).catch(() => reloadGallery(page));
  };

  it("[A11Y-1] [A11Y-2] has no serious barrier in either theme, and nothing scrolls sideways", async () => {
    for (const scheme of schemes) expect(await barriersIn(scheme), scheme).toEqual([]);
    await page.setViewportSize(narrow);
    expect(await overflow()).toBe(0);
  });

  it("a banner's dismiss button stays beside its words at every width", async () => {
    for (const size of [wide, narrow]) {
      await page.setViewportSize(size);
      const dismissing = page.getByRole("button", { name: "Dismiss", exact: true });
      const banner = page.locator("[role=status]").filter({ has: dismissing });
      const [words, button] = await Promise.all([
        banner.getByText("Since you were last here").boundingBox(),
        banner.getByRole("button", { name: "Dismiss" }).boundingBox(),
      ]);
      if (!words || !button) throw new Error("The banner has no place.");
      expect(button.x).toBeGreaterThanOrEqual(words.x + words.width);
      expect(button.y).toBeLessThan(words.y + words.height);
    }
    await page.setViewportSize(wide);
  });

  it("a toast's close button stays beside its action at every width", async () => {
    for (const size of [wide, narrow]) {
      await page.setViewportSize(size);
      await page.getByRole("button", { name: "Show a toast with an action" }).click();
      const toast = page
        .getByRole("listitem")
        .filter({ hasText: "Ben restored a revision." })
        .last();
      // A toast stays while hovered.
      await toast.hover();
      const [action, close] = await Promise.all([
        toast.getByRole("button", { name: "See it" }).boundingBox(),
        toast.getByRole("button", { name: "Close" }).boundingBox(),
      ]);
      if (!action || !close) throw new Error("The toast has no place.");
      expect(close.x).toBeGreaterThanOrEqual(action.x + action.width);
      expect(close.y).toBeLessThan(action.y + action.height);
      await toast.getByRole("button", { name: "Close" }).click();
      await toast.waitFor({ state: "detached" });
    }
    await page.setViewportSize(wide);
  });

  it("every control that opens a layer is tested", async () => {
    const kind = page.getByRole("region", { name: "Layers" });
    // The last one only makes an announcement, and shows nothing.
    expect(await kind.getByRole("button").allInnerTexts()).toEqual([
      ...dialogs,
      ...toasts,
      "Announce",
    ]);
    expect(await page.locator("[aria-haspopup=menu]").count()).toBe(1);
    expect(await page.locator("[role=combobox]:enabled").count()).toBe(selects.length);
  });

  it.each(layers)(
    "[A11Y-1] [A11Y-2] the %s “%s” opens a layer without serious barriers in both themes, " +
      "which fits a narrow screen",
    async (role, name, layer) => {
      for (const { size, schemes } of screens) {
        await page.setViewportSize(size);
        const control = page.getByRole(role, { name, exact: true });
        await control.hover();
        if (name !== "Bold") await control.click();
        const opened = page.locator(layer);
        // A toast stays while hovered.
        await opened.hover();
        for (const scheme of schemes)
          expect(await barriersIn(scheme, layer), `${scheme}, ${size.width} px`).toEqual([]);
        expect(await overflow()).toBe(0);
        const box = await opened.boundingBox();
        expect(box && [box.x >= 0, box.x + box.width <= size.width]).toEqual([true, true]);
        await closeLayer(opened);
      }
    },
  );
});
