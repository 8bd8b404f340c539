import { describe, expect, it } from "vitest";
import { judge, run, sluggishness, storm, upheaval, type Session } from "./crowd";

const seeds = process.env.SEED
  ? [Number(process.env.SEED)]
  : Array.from({ length: Number(process.env.ROUNDS ?? 24) }, (_, index) => 1_000 + index);

describe("many people on one document in bad weather", () => {
  const total = {
    replaced: 0,
    crashed: 0,
    offline: 0,
    dropped: 0,
    late: 0,
    answersLost: 0,
    refused: 0,
    repeated: 0,
    moved: 0,
    typed: 0,
    stalled: 0,
    slow: 0,
    left: 0,
  };

  for (const seed of seeds) {
    it(
      "[SYNC-4] [SYNC-6] keeps every letter once, under its " +
        `author, in the log and in every tab (seed ${seed})`,
      async () => {
        const session = await run(seed, 160, upheaval, storm);
        judge(session);
        for (const [name, count] of Object.entries({
          ...session.happened,
          ...session.backend.happened,
        })) {
          if (name in total)
            Object.assign(total, {
              [name]: Object.entries(total).find(([key]) => key === name)![1] + count,
            });
        }
      },
    );
  }

  it("has had the weather that it was meant to have", () => {
    if (process.env.SEED) return;
    for (const [name, count] of Object.entries(total)) expect(count, name).toBeGreaterThan(0);
  });
});

describe("people whose pages stand still and whose appends are slow", () => {
  const happened: Session["happened"][] = [];

  for (const seed of seeds.slice(0, 12)) {
    it(`[SYNC-31] loses no letter and makes nothing again as long as nobody leaves (seed ${seed})`, async () => {
      const session = await run(seed, 200, sluggishness, {
        latency: 25,
        lateBroadcast: 400,
        duplicateBroadcast: 0.1,
      });
      judge(session);
      expect(session.happened.replaced).toBe(0);
      happened.push(session.happened);
    });
  }

  it("has had such people, and edits that waited for others", () => {
    if (process.env.SEED) return;
    const sum = (of: (one: Session["happened"]) => number) =>
      happened.reduce((all, one) => all + of(one), 0);
    for (const count of [
      sum(({ stalled }) => stalled),
      sum(({ slow }) => slow),
      sum(({ held }) => held),
    ])
      expect(count).toBeGreaterThan(20);
  });
});
