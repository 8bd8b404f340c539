/** Values under names that change one by one; whoever subscribes is told of each change and asks for what they need. */
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

/** Reads the store, and gives the same object for as long as none of the named parts has changed. */
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
