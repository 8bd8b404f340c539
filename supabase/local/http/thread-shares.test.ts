import { expect, test } from "vitest";
import { ManualClock, settled } from "../realtime/fake-client";
import { inShare, ThreadShares } from "./thread-shares";

const staying = new AbortController().signal;

/** Creates shares of a simulated thread. Requests take turns on it, a few milliseconds each. */
function thread() {
  const clock = new ManualClock();
  let worked = 0;
  const shares = new ThreadShares(clock, () => worked);
  /** Works, and advances the clock by the same time. */
  const work = async (milliseconds: number) => {
    worked += milliseconds;
    clock.advance(milliseconds);
    await settled();
  };
  const ask = (payer: string, kind: "call" | "page" = "call", weight = 1) =>
    shares.enter(
      { payer, pays: payer.includes(".") ? "network" : "account", kind, weight },
      staying,
    );
  /** Serves a request that occupies the thread for this long. */
  const serve = async (payer: string, milliseconds: number) => {
    const end = await ask(payer);
    await work(milliseconds);
    end();
  };
  return { clock, shares, work, ask, serve };
}

async function hasSettled(promise: Promise<unknown>): Promise<boolean> {
  let isDone = false;
  void promise.then(() => (isDone = true));
  await settled();
  return isDone;
}

test("[API-94] a payer that is alone never waits", async () => {
  const { serve, ask, work } = thread();
  for (let count = 0; count < 100; count += 1) await serve("Mallory", 50);
  const ends = await Promise.all([ask("Mallory"), ask("Mallory"), ask("Mallory")]);
  await work(1_000);
  for (const end of ends) end();
  expect(await hasSettled(ask("Mallory"))).toBe(true);
});

test("[API-94] a payer that took more than its share waits while others ask, and is served later", async () => {
  const { serve, ask, clock } = thread();
  for (let count = 0; count < 50; count += 1) await serve("Mallory", 40);
  await serve("Ana", 5);
  const held = ask("Mallory");
  expect(await hasSettled(held)).toBe(false);
  expect(await hasSettled(ask("Ana"))).toBe(true);
  clock.advance(4_000);
  await settled();
  expect(await hasSettled(held)).toBe(true);
});

test("[API-94] a payer that takes much begins one request of a kind at a time", async () => {
  const { serve, ask } = thread();
  await serve("Ana", 5);
  for (let count = 0; count < 20; count += 1) await serve("Ben", 40);
  const first = await ask("Ben");
  const second = ask("Ben");
  const page = ask("Ben", "page");
  expect(await hasSettled(second)).toBe(false);
  // A page and the calls it makes do not delay each other.
  expect(await hasSettled(page)).toBe(true);
  first();
  expect(await hasSettled(second)).toBe(true);
});

test("[API-94] requests that wait for something other than the thread hold up no others", async () => {
  const { ask, work, clock } = thread();
  await ask("Ana");
  await ask("Ben");
  for (let count = 0; count < 100; count += 1) {
    const end = await ask("Ben");
    await work(1);
    clock.advance(10);
    await settled();
    end();
  }
  expect(await hasSettled(ask("Ben"))).toBe(true);
});

test("[API-94] the work of a storm is not charged to a request that has waited for long", async () => {
  const { ask, serve, work } = thread();
  // This request stands for a statement that waits for a lock.
  await ask("Ana");
  for (let count = 0; count < 30; count += 1) await serve("Mallory", 40);
  await ask("Mallory");
  await work(300);
  expect(await hasSettled(ask("Ana"))).toBe(true);
  expect(await hasSettled(ask("Mallory"))).toBe(false);
});

test("[API-94] a large body pays for more of the work than a small one beside it", async () => {
  const { ask, work } = thread();
  let isHeld = false;
  for (let count = 0; count < 60 && !isHeld; count += 1) {
    const mallory = ask("Mallory", "call", 32);
    isHeld = !(await hasSettled(mallory));
    if (isHeld) break;
    const ends = [await mallory, await ask("Ana")];
    await work(30);
    for (const end of ends) end();
  }
  expect(isHeld).toBe(true);
  expect(await hasSettled(ask("Ana"))).toBe(true);
});

test.each([["Mallory"], ["10.0.0.1"]])(
  "[API-94] eight requests of %s at once leave most of a thread to others",
  async (payer) => {
    const { shares, ask, work, clock } = thread();
    let taken = 0;
    const queue: (() => void)[] = [];
    const gun = async () => {
      for (;;) {
        const end = await ask(payer);
        await new Promise<void>((turn) => queue.push(turn));
        end();
      }
    };
    for (let count = 0; count < 8; count += 1) void gun();
    const begun = clock.now();
    while (clock.now() - begun < 60_000) {
      await settled();
      const next = queue.shift();
      if (next) {
        await work(40);
        taken += 40;
        next();
      } else {
        clock.advance(10);
        await settled();
      }
      const end = await ask("Ana");
      await work(2);
      end();
    }
    expect(taken / 60_000).toBeLessThan(0.35);
    expect(taken / 60_000).toBeGreaterThan(0.1);
    expect(shares.waiting).toBeGreaterThan(0);
  },
);

test("[API-94] requests of a disconnected caller are dropped, and too many are refused", async () => {
  const { shares, serve } = thread();
  for (let count = 0; count < 50; count += 1) await serve("Mallory", 40);
  await serve("Ana", 5);
  const asked = { payer: "Mallory", pays: "account", kind: "call", weight: 1 } as const;
  const leaving = new AbortController();
  let answered = 0;
  const waiting = Array.from({ length: 200 }, () =>
    inShare(shares, asked, leaving.signal, async () => (answered += 1)),
  );
  await settled();
  expect(shares.waitingOf("Mallory")).toBe(200);
  const refused = await inShare(shares, asked, staying, async () => null);
  expect(refused).toMatchObject({ status: 429 });
  leaving.abort("left");
  expect(await Promise.all(waiting)).toEqual(Array(200).fill(null));
  expect([shares.waiting, answered]).toEqual([0, 0]);
});
