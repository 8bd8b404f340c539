import type { Page } from "playwright";
import { expect } from "vitest";

/** Waits until the device has every letter that was typed in a page: whoever closes it is not warned then. */
export const stored = (page: Page): Promise<void> =>
  expect
    .poll(() => page.evaluate(() => dispatchEvent(new Event("beforeunload", { cancelable: true }))))
    .toBe(true);
