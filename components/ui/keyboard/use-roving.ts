"use client";

import { useRef, useState, type KeyboardEvent } from "react";

/**
 * A row of so many buttons as one Tab stop, in which the arrows go from one to the next; give `row`
 * and `onKeyDown` to what holds the buttons.
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
