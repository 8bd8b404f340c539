import { expect, it } from "vitest";
import { keepUp } from "./work-rounds";
import type { Work } from "./work-rounds";

const dayMs = 86_400_000;

/** Creates a clock that tests advance by hand. Due timers run, with the promises they start. */
function manualClock() {
  let now = 0;
  let due: { at: number; action: () => void }[] = [];
  return {
    now: () => now,
    after: (ms: number, action: () => void) => void due.push({ at: now + ms, action }),
    async passes(ms: number) {
      const end = now + ms;
      for (;;) {
        const next = due.sort((one, other) => one.at - other.at)[0];
        if (!next || next.at > end) break;
        due = due.filter((each) => each !== next);
        now = next.at;
        next.action();
        for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
      }
      now = end;
    },
  };
}

function watched(waiting: () => readonly string[], works: Partial<Work>[]) {
  const clock = manualClock();
  const asks: { at: number; kinds: readonly string[] }[] = [];
  const faults: string[] = [];
  keepUp({
    works: works.map((one) => ({ kinds: [], run: async () => 0, full: 8, during: "work", ...one })),
    ask: async (kinds) => {
      asks.push({ at: clock.now(), kinds });
      return waiting().filter((kind) => kinds.includes(kind));
    },
    clock,
    failed: (fault, during) => void faults.push(`${during}: ${String(fault)}`),
  });
  return { clock, asks, faults };
}

const all = ["upkeep", "lines", "index", "links", "deletions", "users", "leftovers", "pictures"];

it("[HOSTED-4] an idle process polls its project fewer than 11 000 times a day", async () => {
  const { clock, asks } = watched(
    () => [],
    all.map((kind) => ({ kinds: [kind] })),
  );
  await clock.passes(dayMs);
  expect(asks.length).toBeLessThan(11_000);
  // The last two kinds read all of Storage.
  const rare = asks.filter(({ kinds }) => kinds.includes("pictures"));
  expect(rare.length).toBeLessThanOrEqual(1_440);
  expect(rare.length).toBeGreaterThan(1_200);
});

it("[SEARCH-9] a process that was idle for a day still finds work within eight seconds", async () => {
  let found: number | null = null;
  let waiting: string[] = [];
  const { clock } = watched(
    () => waiting,
    [{ kinds: ["index"], run: async () => ((found ??= clock.now()), (waiting = []), 1) }],
  );
  await clock.passes(dayMs);
  waiting = ["index"];
  await clock.passes(8_000);
  expect(found).not.toBeNull();
});

it("[HOSTED-4] polls every three seconds while there is work", async () => {
  const { clock, asks } = watched(() => ["index"], [{ kinds: ["index"], run: async () => 1 }]);
  await clock.passes(60_000);
  asks.length = 0;
  await clock.passes(30_000);
  expect(asks).toHaveLength(10);
});

it("[HOSTED-4] keeps polling while work runs, and starts none of it twice", async () => {
  let [begun, end] = [0, () => {}];
  const { clock, asks } = watched(
    () => ["pictures"],
    [
      {
        kinds: ["pictures"],
        run: () => ((begun += 1), new Promise((settle) => (end = () => settle(1)))),
      },
    ],
  );
  await clock.passes(55_000);
  expect(begun).toBe(1);
  expect(asks.every(({ kinds }) => kinds.includes("pictures"))).toBe(true);
  const gaps = asks.slice(1).map(({ at }, index) => at - (asks[index]?.at ?? 0));
  expect(Math.max(...gaps)).toBeLessThan(20_000);
  end();
  await clock.passes(100_000);
  expect(begun).toBe(2);
});

it("[SEGMENT-6] a full run starts the next at once, and a fault stops no other work", async () => {
  const runs: string[] = [];
  let left = 20;
  const { clock, faults } = watched(
    () => ["upkeep", "links"],
    [
      { kinds: ["links"], run: () => Promise.reject(new Error("unreadable")), during: "links" },
      {
        kinds: ["upkeep"],
        run: async () => {
          const done = Math.min(left, 8);
          left -= done;
          runs.push(`${clock.now()}: ${done}`);
          return done;
        },
      },
    ],
  );
  await clock.passes(3_000);
  expect(runs).toEqual(["3000: 8", "3000: 8", "3000: 4"]);
  expect(faults).toEqual(["links: Error: unreadable"]);
});
