import { describe, expect, it } from "vitest";
import { memoryOutbox, type Outbox, type OutboxBox } from "@/events/device/outbox";
import { StoreFault, type Store } from "@/events/log/store";
import { fromLog, logText, stream, textOf, type, world } from "./live-world.fixture";
import { type LiveDocument } from "./live-document";
import { flushOutbox } from "./outbox-flush";
import { status } from "./sync-status";

const labelOf = (live: LiveDocument) => status(live.sync.getSnapshot()).label;
const sentenceOf = (live: LiveDocument) => status(live.sync.getSnapshot()).sentence;
const never = <T>() => new Promise<T>(() => {});

/** A world in which appends can be made to fail or to hang, and boxes can be left behind. */
function device() {
  const there = world();
  const outbox = memoryOutbox();
  let mode: "works" | "fails" | "hangs" = "works";
  const dead = new Set<string>();
  const flaky = (store: Store, tab: string): Store => ({
    ...store,
    async append(...call) {
      if (dead.has(tab)) return never();
      if (mode === "works") return store.append(...call);
      // As long as a request of the product that nobody answers.
      if (mode === "hangs") await there.clock.wait(60_000);
      throw new StoreFault("down", mode === "hangs" ? 0 : 503);
    },
  });
  const boxes: OutboxBox[] = [];
  const watched: Outbox = {
    ...outbox,
    async open(scope) {
      const box = await outbox.open(scope);
      boxes.push(box);
      return box;
    },
  };
  /** The first box that was opened is left behind by a tab that does nothing more. */
  const crash = (tab: string) => {
    dead.add(tab);
    const [box] = boxes;
    if (box) outbox.crash(box);
  };
  const open = (tab: string, more: Parameters<typeof there.open>[1] = {}) => {
    const backendTab = there.backend.tab("ana", tab);
    return there.open(backendTab, {
      outbox: watched,
      store: flaky(backendTab.store(), tab),
      ...more,
    });
  };
  const held = new Set<string>();
  const locks = {
    async hold(name: string) {
      if (held.has(name)) return null;
      held.add(name);
      return () => void held.delete(name);
    },
  };
  const flush = () =>
    flushOutbox({
      userId: "ana",
      outbox: watched,
      locks,
      store: flaky(there.backend.tab("ana", "flush").store(), "flush"),
      clock: there.clock,
      random: there.random,
      schemaVersion: 1,
    });
  return {
    ...there,
    outbox,
    boxes,
    open,
    flush,
    crash,
    appends: (how: typeof mode) => (mode = how),
  };
}

describe("edits that wait on the device", () => {
  it.each(["was read", "was brought with the page"])(
    "[SYNC-41] are not made again where the log, which %s, has them already, though the page is being built anew",
    async (how) => {
      const { clock, backend, outbox, open } = device();
      const plain = backend.tab("ana", "1").store();
      const boxes: OutboxBox[] = [];
      const first = open("1", {
        // It is recorded, and its answer never comes.
        store: {
          ...plain,
          append: (...call) => plain.append(...call).then(() => never<never>()),
          read: () => never(),
        },
        outbox: {
          ...outbox,
          open: async (scope) => (boxes.push(await outbox.open(scope)), boxes[0] ?? never()),
        },
      });
      const before = how === "was read" ? open("2", { outbox }) : null;
      await clock.advance(1_000);
      type(first, "once");
      await clock.advance(5_000);
      const second = before ?? open("2", { outbox, initial: fromLog(backend).state() });
      await clock.advance(5_000);
      expect(textOf(second)).toBe("once");
      let composed = () => {};
      const composing = new Promise<void>((resolve) => (composed = resolve));
      let busy: Promise<void> | null = composing;
      second.show({ settle: () => busy, rebind: () => {} });
      second.letGo();
      if (boxes[0]) outbox.crash(boxes[0]);
      await clock.advance(30_000);
      busy = null;
      composed();
      await clock.advance(30_000);
      expect(logText(backend)).toBe("once");
      expect(textOf(second)).toBe("once");
      expect(labelOf(second)).toBe("Saved");
    },
  );

  it(
    "[SYNC-40] are not told as saved where the device has no room to hand them over, and " +
      "are sent when it has",
    async () => {
      const { clock, backend, open, outbox, crash, appends } = device();
      const first = open("1");
      await clock.advance(1_000);
      appends("fails");
      type(first, "unsent");
      await clock.advance(100);
      crash("1");
      appends("works");
      let full = true;
      const cramped: Outbox = {
        ...outbox,
        async open(scope) {
          const box = await outbox.open(scope);
          return {
            ...box,
            takeOverLeftovers: () =>
              full
                ? Promise.reject(new DOMException("no room", "QuotaExceededError"))
                : box.takeOverLeftovers(),
          };
        },
      };
      const second = open("2", { outbox: cramped });
      const labels: string[] = [];
      second.sync.subscribe(() => labels.push(labelOf(second)));
      await clock.advance(5_000);
      expect(labels).not.toContain("Saved");
      await clock.advance(40_000);
      expect(labelOf(second)).toBe("Not saved");
      expect(sentenceOf(second)).toContain("Free some space");
      full = false;
      await clock.advance(30_000);
      expect(labelOf(second)).toBe("Saved");
      expect(logText(backend)).toBe("unsent");
    },
  );

  it("[SYNC-43] stay with a page that is left while its browser keeps nothing and the session has ended", async () => {
    const { clock, backend, open: openIn } = world();
    const tab = backend.tab("ana", "1");
    const plain = tab.store();
    let out = false;
    const live = openIn(tab, {
      outbox: {
        ...memoryOutbox(),
        open: () => Promise.reject(new DOMException("none", "SecurityError")),
      },
      store: {
        ...plain,
        append: (...call) =>
          out ? Promise.reject(new StoreFault("signed out", 401)) : plain.append(...call),
      },
    });
    await clock.advance(1_000);
    out = true;
    type(live, "typed in vain");
    await clock.advance(3_000);
    void live.close();
    await clock.advance(1_000);
    out = false;
    await clock.advance(60_000);
    expect(logText(backend)).toBe("typed in vain");
  });

  it.each(["fails", "hangs"] as const)(
    "[SYNC-41] are taken over from the flush by the tab that shows their document, while sending %s",
    async (how) => {
      const { clock, backend, open, flush, crash, appends } = device();
      const first = open("1");
      await clock.advance(1_000);
      appends(how);
      type(first, "unsent");
      await clock.advance(100);
      crash("1");
      const flushed = flush();
      await clock.advance(3_000);
      const labels: string[] = [];
      const second = open("2");
      second.sync.subscribe(() => labels.push(labelOf(second)));
      await clock.advance(3_000);
      expect(textOf(second)).toBe("unsent");
      expect(labels).not.toContain("Saved");
      expect(await flushed).toEqual([]);
      appends("works");
      second.sync.send({ type: "retry" });
      await clock.until(() => labelOf(second) === "Saved", 150_000);
      expect(logText(backend)).toBe("unsent");
      expect(backend.log(stream)).toHaveLength(1);
    },
  );

  it("[SYNC-41] are taken over from a document that was left and still tries to send", async () => {
    const { clock, backend, open, appends } = device();
    const first = open("1");
    await clock.advance(1_000);
    appends("hangs");
    type(first, "unsent");
    await clock.advance(2_000);
    void first.close();
    const second = open("2");
    await clock.advance(2_000);
    expect(textOf(second)).toBe("unsent");
    expect(labelOf(second)).not.toBe("Saved");
    appends("works");
    await clock.until(() => labelOf(second) === "Saved", 150_000);
    expect(logText(backend)).toBe("unsent");
    expect(backend.log(stream)).toHaveLength(1);
  });

  it("[SYNC-41] stay with who cannot keep them on the device", async () => {
    const { clock, backend, outbox, open, appends } = device();
    const full: Pick<Outbox, "open"> = {
      open: async (scope) => ({
        ...(await outbox.open(scope)),
        write: () => Promise.reject(new DOMException("full", "QuotaExceededError")),
      }),
    };
    const first = open("1", { outbox: full });
    await clock.advance(1_000);
    appends("hangs");
    type(first, "only here");
    await clock.advance(1_500);
    appends("works");
    void first.close();
    const second = open("2");
    const other = await outbox.open({ userId: "ana", documentId: stream });
    other.want();
    await clock.advance(120_000);
    expect(logText(backend)).toBe("only here");
    expect(textOf(second)).toBe("only here");
  });

  it(
    '[SYNC-40] in another living tab keep a page from saying "Saved", and are told to be ' +
      "stuck there after a while",
    async () => {
      const { clock, open, appends } = device();
      const [first, second] = [open("1"), open("2")];
      await clock.advance(1_000);
      expect([first, second].map(labelOf)).toEqual(["Saved", "Saved"]);
      appends("fails");
      type(first, "unsent");
      await clock.advance(1_000);
      expect(labelOf(second)).toBe("Saving…");
      await clock.advance(25_000);
      expect(labelOf(second)).toBe("Not saved");
      expect(sentenceOf(second)).toContain("another tab");
      appends("works");
      first.sync.send({ type: "retry" });
      await clock.advance(2_000);
      expect([first, second].map(labelOf)).toEqual(["Saved", "Saved"]);
    },
  );

  it("[SYNC-40] of a living tab that is at work never pass for stuck", async () => {
    const { clock, open } = device();
    const [first, second] = [open("1"), open("2")];
    const labels = new Set<string>();
    second.sync.subscribe(() => labels.add(labelOf(second)));
    for (let letter = 0; letter < 120; letter += 1) {
      type(first, "a");
      await clock.advance(300);
    }
    expect(labels).not.toContain("Not saved");
    await clock.advance(2_000);
    expect(labelOf(second)).toBe("Saved");
  });

  it("[SYNC-40] may be there as long as the device has not been asked", async () => {
    const { clock, outbox, open } = device();
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    const slow: Pick<Outbox, "open"> = {
      open: async (scope) => {
        const box = await outbox.open(scope);
        return { ...box, takeOverLeftovers: () => asked.then(() => box.takeOverLeftovers()) };
      },
    };
    const ana = open("1", { outbox: slow });
    await clock.advance(2_000);
    expect(labelOf(ana)).not.toBe("Saved");
    answer();
    await clock.advance(100);
    expect(labelOf(ana)).toBe("Saved");
  });

  it(
    "[SYNC-42] are sent although others beside them are damaged, which the page says, " +
      "and keeps until somebody has copied them",
    async () => {
      const { clock, backend, boxes, open, crash } = device();
      const first = open("1", {
        store: {
          ...backend.tab("ana", "1").store(),
          append: () => Promise.reject(new StoreFault("down", 503)),
        },
      });
      await clock.advance(1_000);
      type(first, "whole");
      await clock.advance(100);
      const letters = new TextEncoder().encode("\u0001\u0002damaged words\u0003");
      await boxes[0]?.write({
        put: [
          { kind: "broken", key: "0", found: null },
          { kind: "edit", key: "1", update: letters, time: 5 },
        ],
      });
      crash("1");
      const second = open("2");
      await clock.advance(3_000);
      expect(logText(backend)).toBe("whole");
      expect(textOf(second)).toBe("whole");
      expect(status(second.sync.getSnapshot())).toMatchObject({
        label: "Not saved",
        action: "copy",
      });
      expect(sentenceOf(second)).toContain("2 changes kept on this device are damaged");
      expect(second.unsavedText()).toBe("damaged words");
      second.forgetOrphaned();
      await clock.advance(100);
      expect(labelOf(second)).toBe("Saved");
    },
  );

  it("[OFFLINE-11] can be let go of once they are in safety, and then are sent by nobody", async () => {
    const { clock, backend, outbox, open } = device();
    const ana = open("1");
    await clock.advance(1_000);
    type(ana, "logged ");
    await clock.advance(2_000);
    backend.allow("ana", "viewer");
    ana.setAccess("read");
    ana.setAccess("write");
    type(ana, "refused");
    await clock.advance(2_000);
    ana.setAccess("read");
    expect(ana.unsavedText()).toBe("refused");
    ana.letGo();
    await clock.advance(2_000);
    expect(textOf(ana)).toBe("logged ");
    expect(labelOf(ana)).toBe("Saved");
    expect(await outbox.documents("ana")).toEqual([]);
  });
});

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
