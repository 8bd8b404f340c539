"use client";

import { useEffect } from "react";
import { watchFocus } from "./focus-history";

/** Lets dialogs know where the focus was before they opened. */
export function FocusWatch() {
  useEffect(watchFocus, []);
  return null;
}
