"use client";

import { useLayoutEffect } from "react";

/** Tells that the page has been hydrated, before anything beside it is made: the first child of the page. */
export function HydrationEnd() {
  useLayoutEffect(() => window.foreignNodes?.hydrated(), []);
  return null;
}
