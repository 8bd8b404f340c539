import { rm } from "node:fs/promises";
import { template } from "./data-folder";
import { startStack } from "./stack";

/**
 * Makes a data folder once for tests with their own product: a first start creates a database,
 * which takes longer than the rest of the start.
 */
export default async function makeTemplate(): Promise<() => Promise<void>> {
  const first = await startStack();
  await first.stop();
  process.env[template] = first.dataDir;
  return () => rm(first.dataDir, { recursive: true, force: true });
}
