// Runs every property with new seeds, ROUNDS times (5), and prints the seed of a failed round.
import { execFileSync, spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";

const files = execFileSync("git", ["grep", "-lE", "fc\\.assert|cases\\(", "--", "*.test.ts"], {
  encoding: "utf8",
}).split("\n");
const rounds = Number(process.env.ROUNDS ?? 5);
let failed = 0;
for (let round = 1; round <= rounds; round += 1) {
  const seed = String(randomInt(2 ** 31));
  console.log(`── properties, round ${round} of ${rounds}, PROPERTY_SEED=${seed}`);
  const { status } = spawnSync(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", ...files.filter(Boolean)],
    { stdio: "inherit", env: { ...process.env, PROPERTY_SEED: seed } },
  );
  if (status !== 0) failed += 1;
}
console.log(`${rounds - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
