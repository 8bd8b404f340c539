import type { Locator } from "playwright";
import { expect } from "vitest";

/**
 * Waits until an open menu or dialog has the focus, and so handles Escape. A layer whose code loads
 * on demand is visible before its effects have run.
 */
export const hasFocus = (layer: Locator) =>
  expect
    .poll(() => layer.evaluate((element) => element.contains(document.activeElement)))
    .toBe(true);
