"use client";

import { useSyncExternalStore } from "react";

/** `others` shows the carets of others here. `own` shows the reader's caret to others. */
type CaretSettings = { others: boolean; own: boolean };

const both: CaretSettings = { others: true, own: true };
const listeners = new Set<() => void>();
const keyOf = (setting: keyof CaretSettings) => `palimpsest-carets-${setting}`;

let known: CaretSettings | null = null;

function isShown(setting: keyof CaretSettings): boolean {
  try {
    return localStorage.getItem(keyOf(setting)) === null;
  } catch {
    // Storage may be forbidden. The settings then last as long as the page.
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

/** Returns the settings of this device. Works only in a browser. */
export function caretSettings(): CaretSettings {
  return (known ??= { others: isShown("others"), own: isShown("own") });
}

/** Changes a setting on this device and notifies the subscribers. */
export function setCarets(setting: keyof CaretSettings, shown: boolean): void {
  keep(setting, shown);
  known = { ...caretSettings(), [setting]: shown };
  for (const listener of listeners) listener();
}

/** Subscribes to changes of the settings. Returns the unsubscribe function. */
export function onCaretSettings(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the current settings, and re-renders when they change. */
export function useCaretSettings(): CaretSettings {
  return useSyncExternalStore(onCaretSettings, caretSettings, () => both);
}
