"use client";

import { useEffect } from "react";

function slider(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[role=slider][aria-label="Moment"]');
}

/** Focuses the slider if it is mounted. */
function focusSlider(): void {
  slider()?.focus({ preventScroll: true });
}

/**
 * Returns the focus to the slider when a dialog of the player closes, so that the player's keys
 * still work. Beside the live text, which has no slider, the dialog returns the focus itself.
 */
export function backToSlider(event: Event): void {
  if (slider() === null) return;
  event.preventDefault();
  focusSlider();
}

/**
 * Focuses the slider as soon as it is mounted: first the slider of the prefix, then that of the
 * whole history.
 */
export function useFocusOnceOpen(opened: "beginning" | "whole" | null) {
  useEffect(() => {
    // Radix shows the thumb a frame after it mounts. Until then, the thumb cannot be focused.
    const frame = requestAnimationFrame(() => {
      if (opened !== null) focusSlider();
    });
    return () => cancelAnimationFrame(frame);
  }, [opened]);
}
