// The pages are bundled apart from the backend in the same process: they share its globals, and no
// modules.
const name = Symbol.for("palimpsest.warming-up");

/** Whether the server is asking itself for its first pages: until that ends it answers nobody else. */
export function isWarmingUp(): boolean {
  return Reflect.get(globalThis, name) === true;
}

/** Does what makes the first pages. */
export async function whileWarmingUp(work: () => Promise<void>): Promise<void> {
  Reflect.set(globalThis, name, true);
  try {
    await work();
  } finally {
    Reflect.deleteProperty(globalThis, name);
  }
}
