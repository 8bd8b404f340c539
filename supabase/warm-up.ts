// Next bundles the pages separately from the code that starts it: both share globals, not modules.
const name = Symbol.for("palimpsest.warming-up");

/** Whether this process is rendering its first pages, during which it serves no requests. */
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
