// Runs the simulation of many people on one document with SEEDS (500) new seeds, in parts.
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";

const seeds = Number(process.env.SEEDS ?? 500);
const part = 100;
let failed = 0;
for (let done = 0; done < seeds; done += part) {
  const seed = String(randomInt(2 ** 31));
  const rounds = String(Math.min(part, seeds - done));
  console.log(`── simulation, ${done} of ${seeds} seeds done, SEED=${seed} ROUNDS=${rounds}`);
  const { status } = spawnSync(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", "--project", "database", "tests/fuzz/sync.test.ts"],
    { stdio: "inherit", env: { ...process.env, SEED: seed, ROUNDS: rounds } },
  );
  if (status !== 0) failed += 1;
}
console.log(`${failed} parts failed; a seed that fails is pinned in tests/fuzz/sync.test.ts`);
process.exitCode = failed === 0 ? 0 : 1;
