import { AsyncLocalStorage } from "node:async_hooks";

// Next bundles the pages separately from the code that starts it: both share globals, not modules.
const name = Symbol.for("palimpsest.callers");

function callers(): AsyncLocalStorage<AbortSignal> {
  const known: unknown = Reflect.get(globalThis, name);
  if (known instanceof AsyncLocalStorage) return known;
  const made = new AsyncLocalStorage<AbortSignal>();
  Reflect.set(globalThis, name, made);
  return made;
}

/**
 * Returns the current request's signal, which aborts if the caller disconnects before the response
 * is sent. Returns null outside a request, and on hosts that start Next without this code.
 */
export function callerSignal(): AbortSignal | null {
  return callers().getStore() ?? null;
}

/** Handles a request with the signal of its caller. */
export function forCaller<T>(signal: AbortSignal, work: () => T): T {
  return callers().run(signal, work);
}
