/** Whether a session is still valid. */
type SessionCheck = (session: string) => Promise<boolean>;

// Next bundles the pages separately from the code that starts it: both share globals, not modules.
const name = Symbol.for("palimpsest.session-check");

/** Lets this process's pages query the embedded backend for whether a session is valid. */
export function provideSessionCheck(check: SessionCheck): void {
  Reflect.set(globalThis, name, check);
}

/**
 * Whether a session is still valid. Returns true if this process has no check, as with a hosted
 * project.
 */
export async function sessionHolds(session: string): Promise<boolean> {
  const check: unknown = Reflect.get(globalThis, name);
  return typeof check !== "function" || session === "" || (await check(session)) === true;
}
