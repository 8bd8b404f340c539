"use client";

import { useRef, useState } from "react";
import type { KeyboardEvent } from "react";

/**
 * Makes a row of `count` buttons one tab stop with arrow keys. Pass `row` and `onKeyDown` to the
 * container of the buttons.
 */
export function useRoving(count: number) {
  const [current, setCurrent] = useState(0);
  const row = useRef<HTMLDivElement>(null);
  const stop = Math.min(current, count - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (by === 0 || event.shiftKey) return;
    const next = Math.max(0, Math.min(count - 1, stop + by));
    setCurrent(next);
    row.current?.querySelectorAll<HTMLElement>(":scope > button")[next]?.focus();
    event.preventDefault();
  };
  return { row, stop, reach: setCurrent, onKeyDown };
}
