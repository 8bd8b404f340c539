import { rm } from "node:fs/promises";
import { template } from "./data-folder";
import { startStack } from "./stack";

/**
 * The set-up of the tests that have a product each: a first start makes a database, which takes
 * longer than all the rest of it.
 */
export default async function makeTemplate(): Promise<() => Promise<void>> {
  const first = await startStack();
  await first.stop();
  process.env[template] = first.dataDir;
  return () => rm(first.dataDir, { recursive: true, force: true });
}
