"use client";

import { useCommandState } from "cmdk";
import { useLayoutEffect } from "react";
import type { RefObject } from "react";

type Props = { input: RefObject<HTMLInputElement | null>; typed: string };

/**
 * Announces the selected row to screen readers. cmdk looks for the row before it is rendered, so it
 * misses the first row and announces removed rows.
 */
export function ActiveRow({ input, typed }: Props) {
  const value = useCommandState((state) => state.value);
  const selectedId = useCommandState((state) => state.selectedItemId);
  useLayoutEffect(() => {
    const field = input.current;
    const list = field?.getAttribute("aria-controls");
    const selected = document.getElementById(list ?? "")?.querySelector("[aria-selected=true]");
    if (selected) field?.setAttribute("aria-activedescendant", selected.id);
    else field?.removeAttribute("aria-activedescendant");
  }, [input, typed, value, selectedId]);
  return null;
}
