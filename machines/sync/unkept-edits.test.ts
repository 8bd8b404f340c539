import { describe, expect, it } from "vitest";
import { memoryOutbox, type Outbox, type OutboxBox } from "@/events/device/outbox";
import { StoreFault } from "@/events/log/store";
import { logText, stream, type } from "./live-world.fixture";
import { device, labelOf, never, sentenceOf } from "./device-world.fixture";

describe("a device that keeps nothing", () => {
  const broken = (how: Partial<OutboxBox>): Pick<Outbox, "open"> => {
    const outbox = memoryOutbox();
    return { open: async (scope) => ({ ...(await outbox.open(scope)), ...how }) };
  };

  it.each<[string, Partial<OutboxBox>]>([
    ["never answers", { takeOverLeftovers: () => never(), write: () => never() }],
    ["answers no reading", { takeOverLeftovers: () => never() }],
    ["takes no writing", { write: () => never() }],
    [
      "throws",
      {
        takeOverLeftovers: () => Promise.reject(new DOMException("no", "SecurityError")),
        write: () => Promise.reject(new DOMException("no", "SecurityError")),
      },
    ],
  ])("[SYNC-43] does not keep the text out of the log where it %s", async (_how, how) => {
    const { clock, backend, open } = device();
    const ana = open("1", { outbox: broken(how) });
    await clock.advance(1_000);
    type(ana, "only ");
    await clock.advance(500);
    type(ana, "here");
    await clock.advance(8_000);
    expect(logText(backend)).toBe("only here");
    expect(labelOf(ana)).toBe("Saved");
    expect(sentenceOf(ana)).toMatch(/keeps nothing on the device|Everything you wrote is saved/);
    type(ana, "!");
    if (how.write) expect(ana.isStored).toBe(false);
    await clock.advance(2_000);
    expect(logText(backend)).toBe("only here!");
  });

  it("[SYNC-43] is told of, and told apart from a full one; what it did not take it is given again", async () => {
    const { clock, backend, outbox, open } = device();
    let full = true;
    const small: Pick<Outbox, "open"> = {
      open: async (scope) => {
        const box = await outbox.open(scope);
        return {
          ...box,
          write: (change) =>
            full
              ? Promise.reject(new DOMException("full", "QuotaExceededError"))
              : box.write(change),
        };
      },
    };
    const tab = backend.tab("ana", "1");
    const ana = open("1", {
      outbox: small,
      store: { ...tab.store(), append: () => Promise.reject(new StoreFault("down", 503)) },
    });
    await clock.advance(1_000);
    type(ana, "kept later");
    await clock.advance(1_000);
    expect(ana.sync.getSnapshot().value.storage).toBe("memory");
    expect(ana.sync.getSnapshot().context.full).toBe(true);
    expect(ana.isStored).toBe(false);
    full = false;
    await clock.advance(10_000);
    expect(ana.isStored).toBe(true);
    expect(ana.sync.getSnapshot().value.storage).toBe("device");
    expect(await outbox.documents("ana")).toEqual([stream]);
  });

  it("[SYNC-43] stays a full one where it then does not answer at all, until it takes something", async () => {
    const { clock, backend, outbox, open } = device();
    const faults = ["QuotaExceededError", "UnknownError"];
    const small: Pick<Outbox, "open"> = {
      open: async (scope) => {
        const box = await outbox.open(scope);
        return {
          ...box,
          write: (change) => {
            const fault = faults.shift();
            return fault === undefined
              ? box.write(change)
              : Promise.reject(new DOMException("", fault));
          },
        };
      },
    };
    const tab = backend.tab("ana", "1");
    const ana = open("1", {
      outbox: small,
      store: { ...tab.store(), append: () => Promise.reject(new StoreFault("down", 503)) },
    });
    await clock.advance(1_000);
    type(ana, "kept later");
    const isFull = () => ana.sync.getSnapshot().context.full;
    await clock.until(() => faults.length === 1);
    await clock.until(isFull);
    await clock.until(() => faults.length === 0);
    await clock.advance(10);
    expect(isFull()).toBe(true);
    await clock.until(() => ana.isStored);
    expect(isFull()).toBe(false);
  });

  it("[SYNC-43] has no room as long as it takes nothing, also where it lets go of what is saved", async () => {
    const { clock, open } = device();
    const small = broken({
      write: ({ put = [] }) =>
        put.length > 0
          ? Promise.reject(new DOMException("full", "QuotaExceededError"))
          : Promise.resolve(),
    });
    const ana = open("1", { outbox: small });
    await clock.advance(1_000);
    type(ana, "saved");
    await clock.advance(10_000);
    expect(labelOf(ana)).toBe("Saved");
    expect(sentenceOf(ana)).toContain("no room for offline changes");
  });

  it("[SYNC-43] that answers late is given what was written meanwhile, in its order", async () => {
    const { clock, backend, outbox, open } = device();
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    const slow: Pick<Outbox, "open"> = {
      open: async (scope) => {
        const box = await outbox.open(scope);
        return { ...box, write: (change) => asked.then(() => box.write(change)) };
      },
    };
    const ana = open("1", { outbox: slow });
    await clock.advance(1_000);
    type(ana, "saved ");
    await clock.advance(8_000);
    expect(logText(backend)).toBe("saved ");
    answer();
    await clock.advance(1_000);
    expect(await outbox.documents("ana")).toEqual([]);
    expect(ana.sync.getSnapshot().value.storage).toBe("device");
  });

  it("[SYNC-43] that the browser empties is given again what is not in the log", async () => {
    const { clock, backend, outbox, boxes, open } = device();
    const listeners: (() => void)[] = [];
    const emptied: Pick<Outbox, "open"> = {
      open: async (scope) => {
        const box = await outbox.open(scope);
        boxes.push(box);
        return {
          ...box,
          onNews: (listener) => (listeners.push(() => listener("evicted")), box.onNews(listener)),
        };
      },
    };
    const tab = backend.tab("ana", "1");
    const ana = open("1", {
      outbox: emptied,
      store: { ...tab.store(), append: () => Promise.reject(new StoreFault("down", 503)) },
    });
    await clock.advance(1_000);
    type(ana, "kept");
    await clock.advance(100);
    const keys = (await outbox.peek({ userId: "ana", documentId: stream })).map(({ key }) => key);
    await boxes[0]?.write({ remove: keys });
    for (const lose of listeners) lose();
    await clock.advance(100);
    expect(
      (await outbox.peek({ userId: "ana", documentId: stream })).map(({ key }) => key),
    ).toEqual(keys);
  });
});
