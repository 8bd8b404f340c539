import type { Browser, BrowserContext } from "playwright";
import { inject } from "vitest";
import type { Person } from "../person";

/** Opens a phone with the session of a person's browser. The caller closes the phone. */
export const phoneOf = async (browser: Browser, { context }: Person): Promise<BrowserContext> =>
  browser.newContext({
    baseURL: inject("url"),
    viewport: { width: 390, height: 800 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: "reduce",
    storageState: await context.storageState(),
  });
