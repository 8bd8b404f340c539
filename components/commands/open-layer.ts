"use client";

import { useSyncExternalStore } from "react";

/** A layer over any page: the palette, or the list of shortcuts. */
type Layer = "palette" | "shortcuts";

let open: Layer | null = null;
const listeners = new Set<() => void>();

/** Opens one of the layers from anywhere on the page; null closes it. */
export function setLayer(layer: Layer | null): void {
  open = layer;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The open layer. */
export function useLayer(): Layer | null {
  return useSyncExternalStore(
    subscribe,
    () => open,
    () => null,
  );
}
