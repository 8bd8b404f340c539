import type { Store } from "@/events/log/store";

/** A store whose client is fetched when it is first asked: a page can propose before its backend's code has come. */
export function lazyStore(open: () => Promise<Store>): Store {
  let opened: Store | null = null;
  const store = async () => (opened = await open());
  return {
    append: async (...input) => (await store()).append(...input),
    // There is no turn to wait for the code in.
    appendAtOnce: (...input) => opened?.appendAtOnce?.(...input) ?? null,
    read: async (...input) => (await store()).read(...input),
    feed: async (...input) => (await store()).feed(...input),
    topic: async (...input) => (await store()).topic(...input),
  };
}
