import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { chromium } from "playwright";
import type { Browser, BrowserContext, Page } from "playwright";
import { presentChromium, switches } from "./chromium";

/** Returns the path of Chromium: `CHROMIUM_PATH`, the system's, or Playwright's own. */
function chromiumPath(): string {
  const own = chromium.executablePath();
  const found = presentChromium() ?? (existsSync(own) ? own : null);
  if (found === null)
    throw new Error(
      "No Chromium found. Set CHROMIUM_PATH, or run `npx playwright install chromium`.",
    );
  return found;
}

const running = new Set<Browser>();

/** Timeout of a step in a page, in ms, for a slow machine. A step that is possible runs at once. */
const patience = 60_000;

/** Playwright disables the back/forward cache, which people's browsers enable. */
const withoutPages = "--disable-back-forward-cache";

/**
 * Starts a headless Chromium for the browser tests, which the caller closes. `keepsPages` enables
 * the back/forward cache.
 */
export async function launchBrowser({ keepsPages = false } = {}): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: switches,
    ...(keepsPages && { ignoreDefaultArgs: [withoutPages] }),
  });
  running.add(browser);
  browser.on("context", (context) => context.setDefaultTimeout(patience));
  browser.once("disconnected", () => running.delete(browser));
  return browser;
}

/** Returns the open pages of all browsers started here. */
export const openPages = (): Page[] =>
  [...running].flatMap((browser) => browser.contexts().flatMap((context) => context.pages()));

/**
 * Starts a Chromium with a profile in a folder, like people's browsers. All other test windows are
 * private and keep everything in memory. `kill` ends Chromium as a power loss would.
 */
export async function launchProfile(
  folder: string,
  baseURL: string,
): Promise<{ context: BrowserContext; kill(): Promise<void> }> {
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: chromiumPath(),
    args: switches,
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

/** Returns the processes with this folder among their arguments. */
async function processesOf(folder: string): Promise<number[]> {
  const all = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const lines = await Promise.all(
    all.map((id) => readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")),
  );
  return all.filter((_, index) => lines[index]?.includes(`--user-data-dir=${folder}\0`));
}
