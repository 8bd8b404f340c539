import { existsSync } from "node:fs";
import { chromium, type Browser, type LaunchOptions, type Page } from "playwright";

const systemPlaces = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
];

/** The Chromium the browser tests drive: `CHROMIUM_PATH`, else the system's, else Playwright's own. */
function chromiumPath(): string {
  const given = process.env["CHROMIUM_PATH"];
  const found = [...(given ? [given] : []), ...systemPlaces, chromium.executablePath()].find(
    (path) => existsSync(path),
  );
  if (!found)
    throw new Error(
      "No Chromium found. Set CHROMIUM_PATH, or run `npx playwright install chromium`.",
    );
  return found;
}

// A test browser talks to this machine only; without these Chromium looks up its maker's hosts at every start.
const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
];

const running = new Set<Browser>();

/** Starts a headless Chromium for the browser tests; the caller closes it. */
export async function launchBrowser(
  more: Pick<LaunchOptions, "ignoreDefaultArgs"> = {},
): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: quiet, ...more });
  running.add(browser);
  browser.once("disconnected", () => running.delete(browser));
  return browser;
}

/** The pages that are open now in the browsers started here. */
export const openPages = (): Page[] =>
  [...running].flatMap((browser) => browser.contexts().flatMap((context) => context.pages()));
