import { describe, expect, it } from "vitest";
import type { LastSeen } from "@/components/workspace-state/last-seen";
import { NewsWatch } from "./news-watch";

const minute = 60_000;

/** Creates a visible page that collects the reported news and the versions marked as seen. */
function page(known: LastSeen | null) {
  const world = {
    hidden: false,
    time: Date.UTC(2026, 10, 14, 15, 42),
    version: 7,
    seen: known,
    announced: [] as (number | null)[],
    offline: false,
  };
  const watch = new NewsWatch({
    isHidden: () => world.hidden,
    now: () => world.time,
    lastSeen: () => world.seen,
    storeLastSeen: () =>
      (world.seen = { version: world.version, at: new Date(world.time).toISOString() }),
    async announce(seen) {
      await Promise.resolve();
      if (world.offline) throw new Error("There is no network.");
      world.announced.push(seen?.version ?? null);
    },
  });
  const settle = () => new Promise((done) => setTimeout(done));
  const look = async (change: Partial<typeof world>) => {
    Object.assign(world, change);
    if (change.hidden === undefined) watch.look();
    else watch.sight();
    await settle();
  };
  return { world, look, settle };
}

describe("the news watch", () => {
  it("[UNDERSTAND-14] announces on opening, and marks visible changes as seen", async () => {
    const { world, look, settle } = page({ version: 3, at: "2026-11-01T10:00:00.000Z" });
    expect(world.seen?.version).toBe(3);
    await settle();
    await look({ version: 8 });
    expect([world.announced, world.seen?.version]).toEqual([[3], 8]);
  });

  it("[UNDERSTAND-14] announces changes after a long absence, and marks none seen before", async () => {
    const { world, look, settle } = page(null);
    await settle();
    await look({ hidden: true });
    await look({ version: 9 });
    expect(world.seen?.version).toBe(7);
    await look({ hidden: false, time: world.time + 600 * minute });
    expect([world.announced, world.seen?.version]).toEqual([[null, 7], 9]);
  });

  it("[UNDERSTAND-14] announces nothing after a short absence", async () => {
    const { world, look, settle } = page(null);
    await settle();
    await look({ hidden: true });
    await look({ hidden: false, version: 9, time: world.time + 5 * minute });
    expect([world.announced, world.seen?.version]).toEqual([[null], 9]);
  });

  it("[UNDERSTAND-14] announces later if there is no network yet", async () => {
    const { world, look, settle } = page(null);
    await settle();
    await look({ hidden: true });
    await look({ hidden: false, offline: true, version: 9, time: world.time + 600 * minute });
    expect([world.announced, world.seen?.version]).toEqual([[null], 7]);
    await look({ offline: false, version: 10 });
    expect([world.announced, world.seen?.version]).toEqual([[null, 7], 10]);
  });
});
