import { useSyncExternalStore } from "react";

const key = "palimpsest-tree";
const listeners = new Set<() => void>();

function isOpen(): boolean {
  try {
    return sessionStorage.getItem(key) !== "closed";
  } catch {
    // Storage may be forbidden. The tree is then open on every page.
    return true;
  }
}

/** Shows or hides the tree in this tab. The choice survives navigation and reload. */
export function toggleTree(): void {
  try {
    sessionStorage.setItem(key, isOpen() ? "closed" : "open");
  } catch {
    return;
  }
  for (const listener of listeners) listener();
}

/** Whether the tree is shown beside the page. The server always renders it open. */
export function useTreeOpen(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isOpen,
    () => true,
  );
}
