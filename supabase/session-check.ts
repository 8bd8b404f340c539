/** Tells whether a session still stands. */
type SessionCheck = (session: string) => Promise<boolean>;

// The pages are bundled apart from the backend that runs in the same process: they share its globals, and no modules.
const name = Symbol.for("palimpsest.session-check");

/** Lets the pages of this process ask the embedded backend about sessions. */
export function provideSessionCheck(check: SessionCheck): void {
  Reflect.set(globalThis, name, check);
}

/** Whether a session still stands; true where nobody here knows, as with a hosted project. */
export async function sessionHolds(session: string): Promise<boolean> {
  const check: unknown = Reflect.get(globalThis, name);
  return typeof check !== "function" || session === "" || (await check(session)) === true;
}
