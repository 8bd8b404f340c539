import * as fake from "fake-indexeddb";

/**
 * Gives the process an IndexedDB. In a worker, `fake-indexeddb/auto` installs it on the `window` of
 * its first import, which may be another test's temporary window.
 */
for (const [name, value] of Object.entries(fake))
  if (name !== "default")
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
