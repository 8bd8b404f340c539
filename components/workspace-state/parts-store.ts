/**
 * A store of named values that change one by one. Subscribers are notified of each change and read
 * the values that they need.
 */
export type PartsStore<Parts> = {
  subscribe: (listener: () => void) => () => void;
  parts: () => Parts;
  /** Returns the server-rendered values. Hydration needs them even after a change. */
  initialParts: () => Parts;
  publish: (changed: Partial<Parts>) => void;
};

export function partsStore<Parts extends object>(initial: Parts): PartsStore<Parts> {
  const listeners = new Set<() => void>();
  let current = initial;
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    parts: () => current,
    initialParts: () => initial,
    publish(changed) {
      current = { ...current, ...changed };
      for (const listener of listeners) listener();
    },
  };
}

/** Creates a getter of named parts. Its result keeps its identity while none of them changes. */
export function readerOf<Parts extends object, Name extends keyof Parts>(
  store: PartsStore<Parts>,
  names: readonly Name[],
): () => Pick<Parts, Name> {
  let shown = store.initialParts();
  return () => {
    const parts = store.parts();
    if (names.some((name) => !Object.is(parts[name], shown[name]))) shown = parts;
    return shown;
  };
}
