import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startStack } from "@/tests/support/product/stack";

declare module "vitest" {
  export interface ProvidedContext {
    url: string;
  }
}

/**
 * Starts one product, as a user starts it, for all browser tests of a run. Each test creates its
 * own people and workspaces. `TEST_URL` names a running product, for work on a single test.
 */
export default async function setup(project: TestProject) {
  const running = process.env["TEST_URL"];
  if (running) {
    project.provide("url", running);
    return;
  }
  const stack = await startStack({});
  project.provide("url", stack.url);
  return async () => {
    await stack.stop();
    // The log explains a test that waited in vain for the server's own work.
    await mkdir("test-results", { recursive: true });
    await writeFile(join("test-results", "product.log"), stack.output());
  };
}
