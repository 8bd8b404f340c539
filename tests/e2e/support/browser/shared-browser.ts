import type { Browser } from "playwright";
import { launchBrowser } from "@/tests/support/product/browser";

let launched: Promise<Browser> | null = null;

/**
 * The browser of this worker, started once for all of its files. Each brings contexts of its own,
 * which share nothing, and which are closed behind it.
 */
export async function sharedBrowser(): Promise<Browser> {
  launched ??= launchBrowser();
  const browser = await launched;
  if (browser.isConnected()) return browser;
  // One file's crash is no other's.
  launched = launchBrowser();
  return launched;
}

/** Closes everything that a file has opened in the browser. */
export async function closeContexts(): Promise<void> {
  const browser = await launched;
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
}
