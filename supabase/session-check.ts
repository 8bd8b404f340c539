/** Whether a session is still valid. */
type SessionCheck = (session: string) => Promise<boolean>;

// Pages are bundled separately from the backend in the same process, so the two share globals but
// no modules.
const name = Symbol.for("palimpsest.session-check");

/** Lets the pages of this process query the embedded backend about sessions. */
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
