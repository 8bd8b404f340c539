import { AsyncLocalStorage } from "node:async_hooks";

// The pages are bundled apart from the backend in the same process: they share its globals, and no
// modules.
const name = Symbol.for("palimpsest.callers");

function callers(): AsyncLocalStorage<AbortSignal> {
  const known: unknown = Reflect.get(globalThis, name);
  if (known instanceof AsyncLocalStorage) return known;
  const made = new AsyncLocalStorage<AbortSignal>();
  Reflect.set(globalThis, name, made);
  return made;
}

/**
 * The signal of the request that is being answered, which aborts when its caller goes before the
 * answer is sent. Null outside of a request, and where the pages are served by something else.
 */
export function callerSignal(): AbortSignal | null {
  return callers().getStore() ?? null;
}

/** Runs `work`, which answers a request, with the signal of its caller. */
export function forCaller<T>(signal: AbortSignal, work: () => T): T {
  return callers().run(signal, work);
}
