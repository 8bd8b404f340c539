"use client";

import { useLayoutEffect } from "react";

/**
 * Reports the end of hydration, before effects of other components run: the first child of the
 * page.
 */
export function HydrationEnd() {
  useLayoutEffect(() => window.foreignNodes?.hydrated(), []);
  return null;
}
