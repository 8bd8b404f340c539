"use client";

import { useEffect } from "react";

function slider(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[role=slider][aria-label="Moment"]');
}

/** Puts the focus on the slider, once it can take it. */
function focusSlider(): void {
  slider()?.focus({ preventScroll: true });
}

/**
 * For dialogs of the player, which keys and menus open: the player's keys go on working when they
 * close. Beside the live text, where there is none, the focus goes back to where it was.
 */
export function backToSlider(event: Event): void {
  if (slider() === null) return;
  event.preventDefault();
  focusSlider();
}

/** Gives the keys to the slider as soon as there is one: that of the beginning first, then that of the whole. */
export function useFocusOnceOpen(opened: "beginning" | "whole" | null) {
  useEffect(() => {
    // Radix shows the thumb a frame after it mounts; until then it cannot take the focus.
    const frame = requestAnimationFrame(() => {
      if (opened !== null) focusSlider();
    });
    return () => cancelAnimationFrame(frame);
  }, [opened]);
}
