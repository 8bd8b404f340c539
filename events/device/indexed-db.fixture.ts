import * as fake from "fake-indexeddb";

/**
 * Gives the process an IndexedDB. `fake-indexeddb/auto` installs it on the `window` of its first
 * import in a worker, which may be another test's temporary one.
 */
for (const [name, value] of Object.entries(fake))
  if (name !== "default")
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
