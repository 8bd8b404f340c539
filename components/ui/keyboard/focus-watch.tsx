"use client";

import { useEffect } from "react";
import { watchFocus } from "./focus-history";

/** Records the focus, so that dialogs can return it. */
export function FocusWatch() {
  useEffect(watchFocus, []);
  return null;
}
