// `npm run test:soak`: what takes longer than `npm test` may, step by step; one that fails stops no other.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { leftToSoak } from "../left-to-soak.mjs";

const vitest = "node_modules/vitest/vitest.mjs";
/** @type {[name: string, args: string[]][]} */
const steps = [
  ...Object.entries(leftToSoak).map(
    /** @returns {[name: string, args: string[]]} */
    ([project, files]) => [`${project} tests`, [vitest, "run", "--project", project, ...files]],
  ),
  ["long forms of tests", [vitest, "run", "--project", "soak"]],
  ["properties with new seeds", ["tests/soak/properties.mjs"]],
  ["simulations with new seeds", ["tests/soak/simulation.mjs"]],
];

const root = fileURLToPath(new URL("../..", import.meta.url));
const outcomes = steps.map(([name, args]) => {
  const begun = performance.now();
  console.log(`\n── ${name}`);
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  const seconds = Math.round((performance.now() - begun) / 1000);
  return { name, seconds, isPassed: status === 0 };
});

console.log("");
for (const { name, seconds, isPassed } of outcomes)
  console.log(`${isPassed ? "✓" : "✗"} ${name}, ${seconds} s`);
const failed = outcomes.filter(({ isPassed }) => !isPassed).length;
console.log(`${outcomes.length - failed} steps passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
