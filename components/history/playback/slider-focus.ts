"use client";

import { useEffect } from "react";

function slider(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[role=slider][aria-label="Moment"]');
}

/** Focuses the slider if it is there. */
function focusSlider(): void {
  slider()?.focus({ preventScroll: true });
}

/**
 * For dialogs of the player: returns the focus to the slider when they close, so the player's keys
 * go on working. Beside the live text, which has no slider, the focus returns to where it was.
 */
export function backToSlider(event: Event): void {
  if (slider() === null) return;
  event.preventDefault();
  focusSlider();
}

/**
 * Focuses the slider as soon as there is one: that of the prefix first, then that of the whole
 * history.
 */
export function useFocusOnceOpen(opened: "beginning" | "whole" | null) {
  useEffect(() => {
    // Radix shows the thumb a frame after it mounts; before that it cannot take the focus.
    const frame = requestAnimationFrame(() => {
      if (opened !== null) focusSlider();
    });
    return () => cancelAnimationFrame(frame);
  }, [opened]);
}
