/** Whether a session is still valid. */
type SessionCheck = (session: string) => Promise<boolean>;

// Next bundles the pages separately from the code that starts it: both share globals, not modules.
const name = Symbol.for("palimpsest.session-check");

/** Lets the pages of this process ask the embedded backend whether a session is valid. */
export function provideSessionCheck(check: SessionCheck): void {
  Reflect.set(globalThis, name, check);
}

/**
 * Whether a session is still valid; true if this process does not know, as with a hosted project.
 */
export async function sessionHolds(session: string): Promise<boolean> {
  const check: unknown = Reflect.get(globalThis, name);
  return typeof check !== "function" || session === "" || (await check(session)) === true;
}
