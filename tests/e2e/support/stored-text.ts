import type { Page } from "playwright";
import { expect } from "vitest";

/** Waits until the device has every letter typed in a page: closing it then shows no warning. */
export const stored = (page: Page): Promise<void> =>
  expect
    .poll(() => page.evaluate(() => dispatchEvent(new Event("beforeunload", { cancelable: true }))))
    .toBe(true);
