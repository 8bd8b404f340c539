import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright";

const systemPlaces = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
];

/** The Chromium for the browser tests: `CHROMIUM_PATH`, the system's, or Playwright's own. */
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

// Chromium renders its address bar's suggestions as two pages, which every window would load beside
// the tested one: a quarter of the browser's work in tests that open many. The other entries are
// missing from Playwright 1.65; of such switches the last one counts.
const unwanted = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];

// A test browser talks only to this machine; without these, Chromium looks up Google's hosts at
// every start.
const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
  `--disable-features=${unwanted.join(",")}`,
];

const running = new Set<Browser>();

/** Timeout of a step in a page, in ms, for a slow machine; a step that is possible runs at once. */
const patience = 60_000;

/** Disabled by Playwright, enabled in people's browsers. */
const withoutPages = "--disable-back-forward-cache";

/**
 * Starts a headless Chromium for the browser tests; the caller closes it. `keepsPages` enables the
 * back/forward cache.
 */
export async function launchBrowser({ keepsPages = false } = {}): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: quiet,
    ...(keepsPages && { ignoreDefaultArgs: [withoutPages] }),
  });
  running.add(browser);
  browser.on("context", (context) => context.setDefaultTimeout(patience));
  browser.once("disconnected", () => running.delete(browser));
  return browser;
}

/** The open pages of all browsers started here. */
export const openPages = (): Page[] =>
  [...running].flatMap((browser) => browser.contexts().flatMap((context) => context.pages()));

/**
 * Starts a Chromium with a profile in a folder, as people have; all other test windows are private
 * and keep everything in memory. `kill` ends it as a power loss would.
 */
export async function launchProfile(
  folder: string,
  baseURL: string,
): Promise<{ context: BrowserContext; kill(): Promise<void> }> {
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: chromiumPath(),
    args: quiet,
    baseURL,
    serviceWorkers: "block",
  });
  context.setDefaultTimeout(patience);
  return {
    context,
    async kill() {
      const closed = new Promise((settle) => context.once("close", settle));
      for (const id of await processesOf(folder)) process.kill(id, "SIGKILL");
      await closed;
    },
  };
}

/** The processes with this folder among their arguments. */
async function processesOf(folder: string): Promise<number[]> {
  const all = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const lines = await Promise.all(
    all.map((id) => readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")),
  );
  return all.filter((_, index) => lines[index]?.includes(`--user-data-dir=${folder}\0`));
}
