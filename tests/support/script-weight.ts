import { gzipSync } from "node:zlib";
import type { Page } from "playwright";

/** A script that a page requested, and its gzipped size in bytes. */
export type Script = { name: string; bytes: number };

/**
 * The limits of a first visit, in bytes of gzipped JavaScript. React, Next and the text editor are
 * nearly all of it. A text takes 356 000 (decision 0037). Loading the schema library before the
 * first letter, as one import once did, would add 18 000.
 */
export const scriptLimits = { signIn: 200_000, lists: 210_000, text: 368_000 };

declare global {
  interface Window {
    /** When `selector` first appeared, in ms of the page. */
    reachedAt?: number;
  }
}

/** Opens a page with an empty cache and weighs the scripts requested before `selector` appears. */
export async function weighUntil(page: Page, path: string, selector: string): Promise<Script[]> {
  // The page itself records the time: when the test finds out, later requests are in progress.
  await page.addInitScript((wanted) => {
    new MutationObserver(() => {
      if (window.reachedAt === undefined && document.querySelector(wanted) !== null)
        window.reachedAt = performance.now();
    }).observe(document, { subtree: true, childList: true, attributes: true });
  }, selector);
  const scripts = await weighAll(page, path);
  await page.waitForFunction(() => window.reachedAt !== undefined);
  const before = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter(({ startTime }) => startTime <= (window.reachedAt ?? 0))
      .map(({ name }) => new URL(name).pathname),
  );
  return scripts.filter(({ name }) => before.includes(name));
}

/**
 * Opens a page with an empty cache and weighs all scripts that it requests until the network is
 * idle.
 */
export async function weighAll(page: Page, path: string): Promise<Script[]> {
  const asked: Promise<Script>[] = [];
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  page.on("response", (response) => {
    if (response.request().resourceType() !== "script") return;
    const script = response.body().then((body) => ({
      name: new URL(response.url()).pathname,
      bytes: gzipSync(body, { level: 9 }).length,
    }));
    // A script that arrives after the weighing may find the page closed.
    script.catch(() => undefined);
    asked.push(script);
  });
  await page.goto(path);
  await page.waitForLoadState("networkidle");
  return Promise.all(asked);
}

/** Weighs the scripts in a page's own HTML, before any of them has run. */
export async function weighHtml(page: Page, path: string): Promise<Script[]> {
  const html = await (await page.request.get(path)).text();
  const names = new Set(
    [...html.matchAll(/<script(?![^>]*nomodule)[^>]+src="([^"]+)"/gi)].map(([, src = ""]) => src),
  );
  return Promise.all(
    [...names].map(async (name) => ({
      name,
      bytes: gzipSync(await (await page.request.get(name)).body(), { level: 9 }).length,
    })),
  );
}

/** Returns the total size in bytes. */
export function weightOf(scripts: readonly Script[]): number {
  return scripts.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Matches a text that can be edited. */
export const writableText = '#text[contenteditable="true"]';
