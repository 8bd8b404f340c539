import type { Store } from "@/events/log/store";

/**
 * Creates a store whose client loads on the first request, so that a page can propose before its
 * backend's code has loaded. `current` returns the client if it is loaded.
 */
export function lazyStore(open: () => Promise<Store>, current: () => Store | null): Store {
  return {
    append: async (...input) => (await open()).append(...input),
    // Synchronous: this call cannot wait for the code.
    appendAtOnce: (...input) => current()?.appendAtOnce?.(...input) ?? null,
    read: async (...input) => (await open()).read(...input),
    feed: async (...input) => (await open()).feed(...input),
    topic: async (...input) => (await open()).topic(...input),
  };
}
