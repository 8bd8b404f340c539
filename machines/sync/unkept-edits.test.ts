import { describe, expect, it } from "vitest";
import { memoryOutbox } from "@/events/device/outbox";
import type { Outbox, OutboxBox } from "@/events/device/outbox";
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
  ])("[SYNC-43] does not keep the text out of the log when it %s", async (_how, how) => {
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

  it("[SYNC-43] is reported as full, and gets the refused edits again once it has room", async () => {
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

  it("[SYNC-43] stays full through another fault until a write succeeds", async () => {
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

  it("[SYNC-43] is reported as full while it takes no edits, though it removes saved ones", async () => {
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

  it("[SYNC-43] that answers late holds no edits that the log has", async () => {
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

  it("[SYNC-43] that the browser has emptied gets the unlogged edits again", async () => {
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
