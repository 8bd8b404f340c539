/** The methods of `Storage` that the product calls. */
export type DeviceStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/**
 * Wraps a storage that may throw in one that never does: browsers can forbid storage, or run out of
 * room, at any time. Rejected values last as long as the page.
 */
export function steadyStorage(give: () => DeviceStorage): DeviceStorage {
  /** Values that the browser did not store. Null marks a key that the browser did not remove. */
  const held = new Map<string, string | null>();
  const from = <T>(ask: (storage: DeviceStorage) => T, otherwise: T): T => {
    try {
      return ask(give());
    } catch {
      return otherwise;
    }
  };
  const change = (key: string, value: string | null) => {
    const taken = from((storage) => {
      if (value === null) storage.removeItem(key);
      else storage.setItem(key, value);
      return true;
    }, false);
    if (taken) held.delete(key);
    else held.set(key, value);
  };
  const keys = () => {
    const stored = from(
      (storage) => Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? ""),
      [],
    );
    const own = [...held].filter(([, value]) => value !== null).map(([key]) => key);
    return [...new Set([...stored.filter((key) => held.get(key) !== null), ...own])];
  };
  return {
    get length() {
      return keys().length;
    },
    key: (index) => keys()[index] ?? null,
    getItem: (key) =>
      held.has(key) ? (held.get(key) ?? null) : from((storage) => storage.getItem(key), null),
    setItem: change,
    removeItem: (key) => change(key, null),
  };
}
