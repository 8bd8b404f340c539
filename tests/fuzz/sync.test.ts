import { describe, expect, it } from "vitest";
import { sluggishness, upheaval } from "./simulation/chaos";
import { judge } from "./simulation/oracle";
import { Simulation } from "./simulation/simulation";
import { storm } from "./simulation/weather";

// `SEED=7` runs one, `SEED=7 ROUNDS=100` a hundred starting there; tests/soak/simulation.mjs uses
// random ones.
const first = Number(process.env.SEED ?? 1_000);
const rounds = Number(process.env.ROUNDS ?? (process.env.SEED ? 1 : 28));
const seeds = Array.from({ length: rounds }, (_, index) => first + index);
/** In this many runs, every kind of fault has occurred several times. */
const enough = 28;
const leastOfEach = 4;

/** How often each thing happened in all runs together. */
function sum(runs: readonly Simulation[]): Map<string, number> {
  const all = new Map<string, number>();
  for (const { ledger, backend } of runs)
    for (const [name, count] of Object.entries({ ...backend.happened, ...ledger.happened }))
      all.set(name, (all.get(name) ?? 0) + count);
  return all;
}

describe("many people in one document on a bad network", () => {
  const runs: Simulation[] = [];

  it.each(seeds)(
    "[SYNC-4] [SYNC-6] [SYNC-61] [SYNC-62] [SYNC-63] keeps every letter once, under its " +
      "author, or offers it to a writer without the right (seed %i)",
    async (seed) => {
      const simulation = new Simulation(seed, upheaval);
      await simulation.run(160, storm);
      await simulation.calm();
      await judge(simulation);
      await simulation.restore();
      await judge(simulation);
      runs.push(simulation);
    },
  );

  it.runIf(rounds >= enough)("has seen every kind of fault", () => {
    for (const [name, count] of sum(runs)) expect(count, name).toBeGreaterThanOrEqual(leastOfEach);
  });
});

describe("people with frozen pages and slow appends", () => {
  const runs: Simulation[] = [];

  for (const seed of seeds.slice(0, 12))
    it(`[SYNC-31] loses no letter and makes nothing again as long as nobody leaves (seed ${seed})`, async () => {
      const simulation = new Simulation(seed, sluggishness);
      await simulation.run(200, { latency: 25, lateBroadcast: 400, duplicateBroadcast: 0.1 });
      await simulation.calm();
      await judge(simulation);
      expect(simulation.ledger.happened.replaced).toBe(0);
      runs.push(simulation);
    });

  it.runIf(rounds >= 12)("has seen frozen pages, slow appends and waiting edits", () => {
    const happened = sum(runs);
    for (const name of ["stalled", "slow", "held"])
      expect(happened.get(name), name).toBeGreaterThan(20);
  });
});
