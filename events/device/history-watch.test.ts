import "./indexed-db.fixture";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { chain, hashed, streamOf, unhashed } from "@/events/proof/chain.fixture";
import type { Ruled } from "@/events/core/envelope";
import { indexedDbHeads } from "./seen-heads";
import type { SeenHeads } from "./seen-heads";
import { growthOf } from "@/events/core/work-count.fixture";
import { watchHistory } from "./history-watch";
import type { Store } from "@/events/log/store";
import { VirtualClock } from "@/events/core/virtual-clock.fixture";

const stream = streamOf(1);
let databases = 0;
let memory: SeenHeads;
let rows: Ruled[];
beforeAll(async () => {
  rows = await chain(600);
});
beforeEach(() => {
  databases += 1;
  memory = indexedDbHeads(`heads-${databases}`);
});

const seenHeads = (some: readonly Ruled[]) => some.map(({ version, hash }) => ({ version, hash }));

/** Creates a log with these answers. */
function log(answers: { rows: readonly Ruled[] }): Store {
  return {
    read: async (_stream, after, max = Infinity) =>
      answers.rows.filter(({ version }) => version > after).slice(0, max),
    append: async () => ({ ok: true, rulings: answers.rows.slice(-1) }),
    feed: async () => [],
    topic: async () => null,
  };
}

/** Opens the document in a tab: reads new rows, and gives the watch time to check them. */
async function opened(answers: { rows: readonly Ruled[] }, after = 0) {
  const clock = new VirtualClock();
  const watch = watchHistory(log(answers), memory, clock);
  const settled = vi.fn();
  watch.subscribe(settled);
  await watch.store.read(stream, after);
  await clock.advance(1_000);
  return { watch, settled };
}

describe("the memory of heads", () => {
  it("[HEADS-1] keeps the hash of every version that was read, across the ends of its records", async () => {
    expect(await memory.remember(stream, seenHeads(rows.slice(200, 600)), 7)).toBeNull();
    const remembered = await memory.recall(stream);
    expect(remembered.head).toEqual({ version: 600, hash: rows[599]?.hash, at: 7 });
    for (const { version, hash } of rows)
      expect(remembered.agrees(version, hash)).toBe(version > 200 ? true : null);
    expect(remembered.agrees(300, rows[300]?.hash ?? "")).toBe(false);
    expect((await memory.recall(streamOf(2))).head).toBeNull();
  });

  it("[HEADS-1] names the first contradiction and keeps the earlier hashes", async () => {
    await memory.remember(stream, seenHeads(rows.slice(0, 20)), 1);
    const forged = rows.slice(0, 20).map(({ version, hash }) => ({
      version,
      hash: version > 12 ? (rows[30 + version]?.hash ?? "") : hash,
    }));
    expect(await memory.remember(stream, forged, 2)).toEqual({ version: 13 });
    const remembered = await memory.recall(stream);
    expect(remembered.agrees(13, rows[12]?.hash ?? "")).toBe(true);
    expect(remembered.head?.at).toBe(1);
  });
});

describe("the watch over a history", () => {
  it("[HEADS-2] stays silent while the log only grows, whatever part of it is read", async () => {
    for (const [end, after] of [
      [10, 0],
      [300, 10],
      [300, 300],
      [600, 120],
    ] as const) {
      const { watch, settled } = await opened({ rows: rows.slice(0, end) }, after);
      await vi.waitFor(async () => expect((await memory.recall(stream)).head?.version).toBe(end), {
        timeout: 40_000,
      });
      expect(watch.alarmOf(stream)).toBeNull();
      expect(settled).not.toHaveBeenCalled();
    }
  });

  it("[HEADS-3] reports a log rollback on opening", async () => {
    await memory.remember(stream, seenHeads(rows.slice(0, 57)), 9);
    const { watch } = await opened({ rows: rows.slice(0, 41) }, 41);
    await vi.waitFor(
      () =>
        expect(watch.alarmOf(stream)).toMatchObject({
          kind: "shortened",
          version: 42,
          seen: { version: 57, at: 9 },
        }),
      { timeout: 40_000 },
    );
  });

  it("[HEADS-3] reports a log rollback on an open page that reads past the end", async () => {
    const answers = { rows: rows.slice(0, 57) };
    const clock = new VirtualClock();
    const watch = watchHistory(log(answers), memory, clock);
    await watch.store.read(stream, 0);
    await clock.advance(1_000);
    await vi.waitFor(async () => expect((await memory.recall(stream)).head?.version).toBe(57), {
      timeout: 40_000,
    });
    answers.rows = rows.slice(0, 41);
    await watch.store.read(stream, 56);
    await watch.store.read(stream, 0);
    await clock.advance(1_000);
    await vi.waitFor(
      () =>
        expect(watch.alarmOf(stream)).toMatchObject({
          kind: "shortened",
          version: 42,
          seen: { version: 57 },
        }),
      { timeout: 40_000 },
    );
  });

  it("[HEADS-3] reports a history that was rewritten since", async () => {
    await memory.remember(stream, seenHeads(rows.slice(0, 57)), 9);
    const others = await hashed([
      ...rows.slice(0, 41),
      ...Array.from({ length: 30 }, (_, index) =>
        unhashed(42 + index, { update: new Uint8Array([9]) }),
      ),
    ]);
    const { watch } = await opened({ rows: others }, 41);
    await vi.waitFor(
      () =>
        expect(watch.alarmOf(stream)).toMatchObject({
          kind: "rewritten",
          version: 42,
          seen: { version: 57 },
        }),
      { timeout: 40_000 },
    );
  });

  it("[HEADS-4] raises no alarm for a history that is gone", async () => {
    await memory.remember(stream, seenHeads(rows.slice(0, 57)), 9);
    const written = vi.spyOn(memory, "remember");
    const { watch, settled } = await opened({ rows: [] });
    await vi.waitFor(() => expect(written).toHaveBeenCalled(), { timeout: 40_000 });
    expect(settled).not.toHaveBeenCalled();
    expect(watch.alarmOf(stream)).toBeNull();
  });

  it("[HEADS-4] raises no alarm for events that another tab wrote since the read", async () => {
    const answers = { rows: rows.slice(0, 41) };
    const clock = new VirtualClock();
    const watch = watchHistory(log(answers), memory, clock);
    await watch.store.read(stream, 0);
    answers.rows = rows.slice(0, 57);
    await memory.remember(stream, seenHeads(rows.slice(0, 57)), 9);
    const read = vi.spyOn(memory, "remember");
    await clock.advance(1_000);
    await vi.waitFor(() => expect(read).toHaveBeenCalled(), { timeout: 40_000 });
    expect(watch.alarmOf(stream)).toBeNull();
  });

  it("[HEADS-5] forgets the hashes that contradict a history once a person accepts it", async () => {
    await memory.remember(stream, seenHeads(rows.slice(0, 57)), 9);
    const { watch } = await opened({ rows: rows.slice(0, 41) }, 41);
    await vi.waitFor(() => expect(watch.alarmOf(stream)).not.toBeNull(), { timeout: 40_000 });
    await watch.accept(stream);
    expect(watch.alarmOf(stream)).toBeNull();
    const again = await opened({ rows: rows.slice(0, 41) }, 0);
    await vi.waitFor(async () => expect((await memory.recall(stream)).head?.version).toBe(41), {
      timeout: 40_000,
    });
    expect(again.watch.alarmOf(stream)).toBeNull();
  });

  it("[HEADS-6] remembers the head of its own append", async () => {
    const clock = new VirtualClock();
    const watch = watchHistory(log({ rows: rows.slice(0, 5) }), memory, clock);
    await watch.store.append(stream, null, []);
    await clock.advance(1_000);
    await vi.waitFor(async () => expect((await memory.recall(stream)).head?.version).toBe(5), {
      timeout: 40_000,
    });
  });
});

it("[HEADS-7] takes work in proportion to the log that it sees", async () => {
  const growth = await growthOf((size) => {
    const clock = new VirtualClock();
    const watch = watchHistory(log({ rows: rows.slice(0, size) }), memory, clock);
    return async () => {
      for (const { version } of rows.slice(0, size)) void watch.store.append(stream, version, []);
      await clock.advance(0);
    };
  }, 300);
  expect(growth).toBeLessThan(2.6);
});
