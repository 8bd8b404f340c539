// `npm run test:soak [step…]`: long forms of tests and fresh seeds. A failed step does not stop the
// next one.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { buildIfStale } from "../../supabase/local/process/build.mjs";
import { installIfStale } from "../../supabase/local/process/install.mjs";
import { findChromium } from "../chromium.mjs";

/** The command of each step. */
const steps = new Map([
  ["long", ["node_modules/vitest/vitest.mjs", "run", "--project", "soak"]],
  ["properties", ["tests/soak/properties.mjs"]],
  ["simulations", ["tests/soak/simulation.mjs"]],
]);

const asked = process.argv.length > 2 ? process.argv.slice(2) : [...steps.keys()];
const unknown = asked.filter((step) => !steps.has(step));
if (unknown.length > 0) {
  console.error(
    `No step is called ${unknown.join(", ")}. There are: ${[...steps.keys()].join(", ")}`,
  );
  process.exit(1);
}

const root = fileURLToPath(new URL("../..", import.meta.url));
process.chdir(root);
await installIfStale(root);
try {
  await buildIfStale(root);
  process.env.CHROMIUM_PATH = await findChromium(root);
} catch (error) {
  // The steps that need it report this themselves.
  console.error(error instanceof Error ? error.message : error);
}

const outcomes = asked.map((step) => {
  const begun = performance.now();
  console.log(`\n── ${step}`);
  const { status } = spawnSync(process.execPath, steps.get(step) ?? [], { stdio: "inherit" });
  const seconds = Math.round((performance.now() - begun) / 1000);
  return { step, seconds, isPassed: status === 0 };
});

console.log("");
for (const { step, seconds, isPassed } of outcomes)
  console.log(`${isPassed ? "✓" : "✗"} ${step}, ${seconds} s`);
const failed = outcomes.filter(({ isPassed }) => !isPassed).length;
console.log(`${outcomes.length - failed} steps passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
