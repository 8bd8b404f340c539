// Pages are bundled separately from the backend in the same process, so the two share globals but
// no modules.
const name = Symbol.for("palimpsest.warming-up");

/** Whether the server is rendering its first pages for itself; it serves no one else meanwhile. */
export function isWarmingUp(): boolean {
  return Reflect.get(globalThis, name) === true;
}

/** Runs `work`, which renders the first pages, with the flag set. */
export async function whileWarmingUp(work: () => Promise<void>): Promise<void> {
  Reflect.set(globalThis, name, true);
  try {
    await work();
  } finally {
    Reflect.deleteProperty(globalThis, name);
  }
}
