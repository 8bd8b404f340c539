import type { Page } from "playwright";
import { expect } from "vitest";

/** Waits until the device stores every letter typed in a page, so that closing shows no warning. */
export const stored = (page: Page): Promise<void> =>
  expect
    .poll(() => page.evaluate(() => dispatchEvent(new Event("beforeunload", { cancelable: true }))))
    .toBe(true);
