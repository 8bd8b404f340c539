import { rm } from "node:fs/promises";
import { template } from "./data-folder";
import { startStack } from "./stack";

/**
 * Global setup for tests with a product of their own: a first start creates a database, which takes
 * longer than the rest of it.
 */
export default async function makeTemplate(): Promise<() => Promise<void>> {
  const first = await startStack();
  await first.stop();
  process.env[template] = first.dataDir;
  return () => rm(first.dataDir, { recursive: true, force: true });
}
