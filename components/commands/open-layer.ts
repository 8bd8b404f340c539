"use client";

import { useSyncExternalStore } from "react";

/** What lies over any page: the palette, or the list of keys. */
type Layer = "palette" | "shortcuts";

let open: Layer | null = null;
const listeners = new Set<() => void>();

/** Opens one of the two, wherever on the page that is asked for; null closes what is open. */
export function setLayer(layer: Layer | null): void {
  open = layer;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What is open now. */
export function useLayer(): Layer | null {
  return useSyncExternalStore(
    subscribe,
    () => open,
    () => null,
  );
}
