"use client";

import { useLayoutEffect } from "react";

/**
 * Reports the end of hydration. As the first child of the page, it runs before the effects of other
 * components.
 */
export function HydrationEnd() {
  useLayoutEffect(() => window.foreignNodes?.hydrated(), []);
  return null;
}
