/**
 * Named values that change one by one; subscribers are notified of each change and read what they
 * need.
 */
export type PartsStore<Parts> = {
  subscribe: (listener: () => void) => () => void;
  parts: () => Parts;
  /** As the server rendered them: hydration needs the same, whatever has changed since. */
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

/** Returns a getter of named parts, whose result keeps its identity while none of them changes. */
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
