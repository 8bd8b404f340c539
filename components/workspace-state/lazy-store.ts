import type { Store } from "@/events/log/store";

/** A store whose client is fetched when it is first asked: a page can propose before its backend's code has come. */
export function lazyStore(open: () => Promise<Store>): Store {
  return {
    append: async (...input) => (await open()).append(...input),
    read: async (...input) => (await open()).read(...input),
    feed: async (...input) => (await open()).feed(...input),
    topic: async (...input) => (await open()).topic(...input),
  };
}
