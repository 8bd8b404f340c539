"use client";

import { useSyncExternalStore } from "react";

/**
 * Whether the carets of others are shown here, and whether the reader's caret is shown to others.
 */
type CaretSettings = { others: boolean; own: boolean };

const both: CaretSettings = { others: true, own: true };
const listeners = new Set<() => void>();
const keyOf = (setting: keyof CaretSettings) => `palimpsest-carets-${setting}`;

let known: CaretSettings | null = null;

function isShown(setting: keyof CaretSettings): boolean {
  try {
    return localStorage.getItem(keyOf(setting)) === null;
  } catch {
    // Storage may be forbidden; then the settings last as long as the page.
    return true;
  }
}

function keep(setting: keyof CaretSettings, shown: boolean): void {
  try {
    if (shown) localStorage.removeItem(keyOf(setting));
    else localStorage.setItem(keyOf(setting), "hidden");
  } catch {
    return;
  }
}

/** The settings of this device; only in a browser. */
export function caretSettings(): CaretSettings {
  return (known ??= { others: isShown("others"), own: isShown("own") });
}

/** Changes a setting on this device, and notifies subscribers. */
export function setCarets(setting: keyof CaretSettings, shown: boolean): void {
  keep(setting, shown);
  known = { ...caretSettings(), [setting]: shown };
  for (const listener of listeners) listener();
}

/** Subscribes to changes of the settings; returns the unsubscribe function. */
export function onCaretSettings(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The current settings. */
export function useCaretSettings(): CaretSettings {
  return useSyncExternalStore(onCaretSettings, caretSettings, () => both);
}
