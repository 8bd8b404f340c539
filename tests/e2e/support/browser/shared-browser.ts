import type { Browser } from "playwright";
import { launchBrowser } from "@/tests/support/product/browser";

let launched: Promise<Browser> | null = null;

/**
 * Returns this worker's browser, which is started once for all of its files. Each file opens its
 * own contexts, which are isolated and closed after the file.
 */
export async function sharedBrowser(): Promise<Browser> {
  launched ??= launchBrowser();
  const browser = await launched;
  if (browser.isConnected()) return browser;
  // After a crash in one file, the next file gets a new browser.
  launched = launchBrowser();
  return launched;
}

/** Closes everything that a file has opened in the browser. */
export async function closeContexts(): Promise<void> {
  const browser = await launched;
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
}
