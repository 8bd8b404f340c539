import type { Store } from "@/events/log/store";

/**
 * A store whose client is fetched when it is first asked, so that a page can propose before its
 * backend's code has come; `current` is that client once it is there.
 */
export function lazyStore(open: () => Promise<Store>, current: () => Store | null): Store {
  return {
    append: async (...input) => (await open()).append(...input),
    // There is no turn to wait for the code in.
    appendAtOnce: (...input) => current()?.appendAtOnce?.(...input) ?? null,
    read: async (...input) => (await open()).read(...input),
    feed: async (...input) => (await open()).feed(...input),
    topic: async (...input) => (await open()).topic(...input),
  };
}
