import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The test files of `npm test` that do more with SOAK set: more kills, more callers, longer texts.
 */
export const longForms = [
  "tests/e2e/device/guard.e2e.ts",
  "tests/e2e/device/page-ends.e2e.ts",
  "tests/e2e/pages/quiet.e2e.ts",
  "tests/faults/disk.test.ts",
  "tests/faults/kill-while-writing.test.ts",
  "tests/faults/network.test.ts",
  "tests/faults/pauses.test.ts",
  "tests/faults/process.test.ts",
  "tests/security/access.test.ts",
  "tests/stack/message-budget.test.ts",
];

const root = fileURLToPath(new URL("../..", import.meta.url));
const gone = longForms.filter((file) => !existsSync(join(root, file)));
if (gone.length > 0) throw new Error(`No such test file in longForms: ${gone.join(", ")}`);
