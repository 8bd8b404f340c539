import * as fake from "fake-indexeddb";

/**
 * Gives the process an IndexedDB. `fake-indexeddb/auto` would give it to whatever `window` is when a worker of the
 * runner first imports it, which may be what another test has put there for a while.
 */
for (const [name, value] of Object.entries(fake))
  if (name !== "default")
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
