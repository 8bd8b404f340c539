import { describe, expect, it } from "vitest";
import { createActor, fromPromise } from "xstate";
import { seededRandom, VirtualClock } from "@/events/core/virtual-clock.fixture";
import { StoreFault } from "@/events/log/store";
import { createChannels } from "@/events/realtime/channel-hub";
import { machineClock } from "@/machines/clock/machine-clock";
import { logText, type, world } from "./live-world.fixture";
import { syncMachine } from "./status/sync";
import { syncDelays } from "./status/sync-delays";
import type { SendOutcome } from "./status/sync-events";

const hour = 3_600_000;

describe("a page without its server", () => {
  it("[SYNC-80] sends fewer than 700 requests an hour, and saves everything once it is back", async () => {
    const { clock, backend, open } = world();
    const tab = backend.tab("ana", "1");
    const store = tab.store();
    let calls = 0;
    const counted = <A extends unknown[], T>(call: (...args: A) => Promise<T>) => {
      return (...args: A) => {
        calls += 1;
        return call(...args);
      };
    };
    const channels = createChannels({
      transport: tab.transport(),
      topic: counted(store.topic),
      clock,
      random: seededRandom(3),
    });
    const ana = open(tab, {
      channels,
      store: { ...store, append: counted(store.append), read: counted(store.read) },
    });
    await clock.advance(1_000);
    tab.setOffline(true);
    calls = 0;
    for (let minute = 0; minute < 60; minute += 1) {
      type(ana, "a");
      await clock.advance(hour / 60);
    }
    expect(calls).toBeGreaterThan(100);
    expect(calls).toBeLessThan(700);
    tab.setOffline(false);
    await clock.until(() => logText(backend) === "a".repeat(60), 30_000);
  });

  it("[API-90] sends the same events again after a 503", async () => {
    const { clock, backend, open } = world();
    const tab = backend.tab("ana", "1");
    const store = tab.store();
    const sent: string[][] = [];
    const append: typeof store.append = async (stream, expected, proposals) => {
      sent.push(proposals.map(({ id }) => id));
      // The database may have recorded an append whose answer is a timeout.
      if (sent.length === 2) await store.append(stream, expected, proposals);
      if (sent.length <= 3) throw new StoreFault("The database could not record these events", 503);
      return store.append(stream, expected, proposals);
    };
    const ana = open(tab, { store: { ...store, append } });
    await clock.advance(1_000);
    type(ana, "one");
    await clock.until(() => sent.length === 2, 60_000);
    type(ana, " two");
    await clock.until(() => logText(backend) === "one two", 60_000);
    await clock.advance(10_000);
    expect(sent.slice(1, 4).map(([first]) => first)).toEqual(
      sent.slice(0, 3).map(([first]) => first),
    );
    expect(logText(backend)).toBe("one two");
    expect(ana.unsavedText()).toBe("");
  });

  it("[SYNC-81] spreads its retries among 300 clients that lost the server together", async () => {
    const clock = new VirtualClock();
    const asked: { read: number[]; send: number[]; topic: number[] } = {
      read: [],
      send: [],
      topic: [],
    };
    const lost = (what: keyof typeof asked) => () => {
      asked[what].push(clock.elapsed());
      return Promise.reject(new StoreFault("no network", 0));
    };
    for (let client = 0; client < 300; client += 1) {
      const random = seededRandom(client);
      const actor = createActor(
        syncMachine.provide({
          delays: syncDelays(random),
          actors: {
            catchUp: fromPromise<void>(lost("read")),
            send: fromPromise<SendOutcome>(lost("send")),
          },
        }),
        { clock: machineClock(clock) },
      );
      actor.start();
      actor.send({ type: "access.changed", access: "write" });
      actor.send({ type: "link.joined" });
      actor.send({ type: "edited" });
      const transport = { refresh: () => Promise.resolve(), join: () => expect.fail("no topic") };
      createChannels({ clock, random, transport, topic: lost("topic") }).subscribe("d", {});
    }
    await clock.advance(12_000);
    for (const [what, times] of Object.entries(asked)) {
      const late = times.filter((time) => time > 5_000);
      expect(late.length, what).toBeGreaterThanOrEqual(300);
      const windows = new Map<number, number>();
      for (const time of late) {
        const window = Math.floor(time / 100);
        windows.set(window, (windows.get(window) ?? 0) + 1);
      }
      expect(Math.max(...windows.values()), what).toBeLessThan(30);
    }
  });
});
