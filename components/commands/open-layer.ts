"use client";

import { useSyncExternalStore } from "react";

/** A layer over any page: the command palette or the list of shortcuts. */
type Layer = "palette" | "shortcuts";

let open: Layer | null = null;
const listeners = new Set<() => void>();

/** Opens a layer from anywhere on the page. Null closes the open layer. */
export function setLayer(layer: Layer | null): void {
  open = layer;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the open layer, or null. */
export function useLayer(): Layer | null {
  return useSyncExternalStore(
    subscribe,
    () => open,
    () => null,
  );
}
