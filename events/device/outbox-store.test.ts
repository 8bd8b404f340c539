import "./indexed-db.fixture";
import { deleteDB, openDB } from "idb";
import type { IDBPDatabase } from "idb";
import { afterEach, describe, expect, it, vi } from "vitest";
import { indexedDbOutbox, watchOutbox } from "./outbox-store";
import { systemClock } from "@/events/core/clock";
import type { OutboxRecord } from "./outbox";
import { deviceLocks, leaseLocks } from "./tab-locks";
import type { TabLocks } from "./tab-locks";
import type { JoinTabNews, TabNews } from "./tab-news";
import { VirtualClock } from "@/events/core/virtual-clock.fixture";

/** Creates locks that the tabs of one browser share. A crashed tab's locks are free. */
function browser() {
  const held = new Map<string, string>();
  const locksOf = (tab: string): TabLocks => ({
    async hold(name) {
      if (held.has(name)) return null;
      held.set(name, tab);
      return () => held.delete(name);
    },
  });
  const crash = (tab: string) => {
    for (const [name, holder] of held) if (holder === tab) held.delete(name);
  };
  return { locksOf, crash };
}

let databases = 0;
const scope = { userId: "ana", documentId: "notes" };
const edit = (key: string): OutboxRecord => ({
  kind: "edit",
  key,
  update: new Uint8Array([1, 2, 3]),
  time: 5,
});
const event: OutboxRecord = {
  kind: "event",
  key: "2",
  proposal: {
    id: "e",
    type: "document.edited",
    body: {},
    update: new Uint8Array([0, 0]),
    clientIds: [4],
  },
  edits: 1,
};

function tabs(news?: JoinTabNews) {
  databases += 1;
  const name = `outbox-${databases}`;
  const { locksOf, crash } = browser();
  return {
    crash,
    name,
    tab: (tab: string) =>
      indexedDbOutbox({
        tab,
        locks: locksOf(tab),
        clock: systemClock,
        name,
        ...(news && { news }),
      }),
  };
}

describe("the outbox on the device", () => {
  it("[SYNC-2] gives a dead tab's records to the next one, in order and byte for byte", async () => {
    const { crash, tab } = tabs();
    const first = await tab("1").open(scope);
    await first.write({ put: [edit("1"), event, edit("3")] });
    await first.write({ remove: ["1"] });
    crash("1");
    const second = await tab("2").open(scope);
    expect(await second.takeOverLeftovers()).toEqual([event, edit("3")]);
    expect(await second.takeOverLeftovers()).toEqual([]);
    crash("2");
    expect(await (await tab("3").open(scope)).takeOverLeftovers()).toEqual([event, edit("3")]);
  });

  it("[SYNC-2] keeps a whole write or none of it if the device refuses at once, with one error", async () => {
    const { tab, crash } = tabs();
    const first = await tab("1").open(scope);
    await first.write({ put: [edit("1"), edit("2")] });
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", note);
    const put = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    try {
      await expect(first.write({ put: [event], remove: ["1", "2"] })).rejects.toThrow("full");
      // Node reports an unhandled rejection after the tick in which it occurred.
      await new Promise((resolve) => setTimeout(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      put.mockRestore();
      process.off("unhandledRejection", note);
    }
    crash("1");
    expect(await (await tab("2").open(scope)).takeOverLeftovers()).toEqual([edit("1"), edit("2")]);
  });

  it("[SYNC-2] leaves a living tab's records alone", async () => {
    const { tab } = tabs();
    const first = await tab("1").open(scope);
    await first.write({ put: [edit("1")] });
    const second = await tab("2").open(scope);
    expect(await second.takeOverLeftovers()).toEqual([]);
    await first.close();
    expect(await second.takeOverLeftovers()).toEqual([edit("1")]);
  });

  it("gives leftovers to one of two tabs that ask at once", async () => {
    const { crash, tab } = tabs();
    await (await tab("1").open(scope)).write({ put: [edit("1"), edit("2")] });
    crash("1");
    const [second, third] = await Promise.all([tab("2").open(scope), tab("3").open(scope)]);
    const takenOver = await Promise.all([second.takeOverLeftovers(), third.takeOverLeftovers()]);
    expect(takenOver.flat()).toHaveLength(2);
  });

  it("keeps another person's and another document's records apart", async () => {
    const { crash, tab } = tabs();
    await (await tab("1").open(scope)).write({ put: [edit("1")] });
    crash("1");
    expect(await (await tab("2").open({ ...scope, userId: "ben" })).takeOverLeftovers()).toEqual(
      [],
    );
    expect(
      await (await tab("3").open({ ...scope, documentId: "plan" })).takeOverLeftovers(),
    ).toEqual([]);
  });
});

/** Writes into a database as another release or program might. */
async function put(name: string, entries: [IDBValidKey, unknown][]) {
  const opened = await openDB(name);
  const transaction = opened.transaction("records", "readwrite");
  await Promise.all(entries.map(([key, value]) => transaction.store.put(value, key)));
  await transaction.done;
  opened.close();
}

describe("an outbox with broken records", () => {
  it("[SYNC-42] returns intact records, repairs a lost key, and keeps broken records", async () => {
    const { crash, tab, name } = tabs();
    await (await tab("1").open(scope)).write({ put: [edit("3"), event] });
    crash("1");
    const nameless: unknown = { ...edit("4"), key: undefined };
    await put(name, [
      [["ana/notes", "1", "0"], null],
      [["ana/notes", "1", "1"], { kind: "edit", update: "no bytes", time: 1 }],
      [["ana/notes", "1", "4"], nameless],
      [["ana/notes", "1", 5], { kind: "of another release" }],
    ]);
    const takenOver = await (await tab("2").open(scope)).takeOverLeftovers();
    expect(takenOver.filter(({ kind }) => kind !== "broken")).toEqual([
      event,
      edit("3"),
      edit("4"),
    ]);
    expect(
      takenOver
        .filter(({ kind }) => kind === "broken")
        .map(({ key }) => key)
        .sort(),
    ).toEqual(["0", "1", "5"]);
    crash("2");
    expect(await (await tab("3").open(scope)).takeOverLeftovers()).toHaveLength(6);
  });

  it("[SYNC-42] keeps a record that is set aside on the device, and gives it to no tab", async () => {
    const { crash, tab, name } = tabs();
    await (await tab("1").open(scope)).write({ put: [edit("3")] });
    crash("1");
    await put(name, [[["ana/notes", "1", "0"], null]]);
    const second = await tab("2").open(scope);
    await second.takeOverLeftovers();
    await second.write({ setAside: ["0", "3", "none"] });
    crash("2");
    expect(await tab("3").documents("ana")).toEqual([]);
    expect(await (await tab("3").open(scope)).takeOverLeftovers()).toEqual([]);
    const opened = await openDB(name);
    expect(await opened.getAllKeys("records")).toHaveLength(2);
    opened.close();
  });
});

describe("messages between tabs about their outboxes", () => {
  /** Creates a synchronous channel between the tabs of one browser. */
  function channel(): JoinTabNews {
    const listeners = new Set<(news: TabNews) => void>();
    return (listener) => {
      listeners.add(listener);
      return {
        works: true,
        post: (news) =>
          [...listeners].filter((other) => other !== listener).forEach((other) => other(news)),
        close: () => void listeners.delete(listener),
      };
    };
  }

  it(
    "[SYNC-40] report whether another tab keeps an edit of this person for this document, and " +
      "when that changes",
    async () => {
      const { tab } = tabs(channel());
      const [first, second] = [await tab("1").open(scope), await tab("2").open(scope)];
      const other = await tab("3").open({ ...scope, documentId: "plan" });
      const heard: string[] = [];
      second.onNews((news) => heard.push(news));
      other.onNews((news) => heard.push(`other ${news}`));
      await first.write({
        put: [edit("2"), { kind: "support", key: "1", update: new Uint8Array([0]) }],
      });
      await first.write({ put: [edit("3")] });
      expect(await second.elsewhere()).toBe("2");
      expect(await first.elsewhere()).toBeNull();
      expect(await other.elsewhere()).toBeNull();
      await first.write({ remove: ["2", "3"] });
      expect(await second.elsewhere()).toBeNull();
      first.want();
      expect(heard).toEqual(["changed", "changed", "wanted"]);
      await first.close();
      expect(heard).toEqual(["changed", "changed", "wanted", "changed"]);
    },
  );

  it("[OFFLINE-32] notify the watcher of a document when its unsent records change", async () => {
    const news = channel();
    const { tab } = tabs(news);
    let heard = 0;
    const stop = watchOutbox(scope, news, () => (heard += 1));
    const other = await tab("2").open({ ...scope, userId: "ben" });
    await other.write({ put: [edit("1")] });
    const box = await tab("1").open(scope);
    box.want();
    expect(heard).toBe(0);
    await box.write({ put: [edit("1")] });
    expect(heard).toBe(1);
    await box.close();
    expect(heard).toBe(2);
    stop();
    await (await tab("3").open(scope)).close();
    expect(heard).toBe(2);
  });

  it("[OFFLINE-12] show no records of another person", async () => {
    const { tab } = tabs();
    await (await tab("1").open(scope)).write({ put: [edit("1")] });
    expect(await tab("2").peek(scope)).toEqual([edit("1")]);
    expect(await tab("2").peek({ ...scope, userId: "ben" })).toEqual([]);
    expect(await tab("2").documents("ben")).toEqual([]);
    expect(await tab("2").documents("an")).toEqual([]);
  });
});

describe("a device that fails under an open outbox", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("[SYNC-43] reopens the database after the browser closed it, and reports the eviction", async () => {
    const { tab, name } = tabs();
    const first = await tab("1").open(scope);
    const heard: string[] = [];
    first.onNews((news) => heard.push(news));
    await first.write({ put: [edit("1")] });
    await deleteDB(name);
    expect(heard).toEqual(["evicted"]);
    await first.write({ put: [edit("2")] });
    expect(await tab("2").peek(scope)).toEqual([edit("2")]);
  });

  it("[SYNC-43] works under the database of a newer release, and creates missing stores", async () => {
    const { tab, name } = tabs();
    const upgrade = (raised: IDBPDatabase) => void raised.createObjectStore("of another release");
    (await openDB(name, 7, { upgrade })).close();
    const first = await tab("1").open(scope);
    await first.write({ put: [edit("1")] });
    expect(await tab("2").peek(scope)).toEqual([edit("1")]);
  });

  it.each([
    [
      "throws",
      () => {
        throw new DOMException("no", "SecurityError");
      },
      "SecurityError",
    ],
    ["never answers", () => new IDBOpenDBRequest(), "TimeoutError"],
  ])("[SYNC-43] reports a database that %s", async (_how, open, fault) => {
    vi.stubGlobal("indexedDB", { open });
    const clock = new VirtualClock();
    const { locksOf } = browser();
    const outbox = indexedDbOutbox({ tab: "1", locks: locksOf("1"), clock });
    const box = await outbox.open(scope);
    const asked = outbox.documents("ana").then(
      () => "answered",
      (error: unknown) => (error instanceof DOMException ? error.name : "no fault of a device"),
    );
    await clock.advance(10_000);
    expect(await asked).toBe(fault);
    await box.close();
  });

  it("[SYNC-43] rejects a lock where nothing shows which tabs live", async () => {
    vi.stubGlobal("navigator", {});
    vi.stubGlobal("localStorage", {
      getItem: () => null,
      setItem: () => {
        throw new DOMException("full", "QuotaExceededError");
      },
    });
    await expect(deviceLocks(new VirtualClock()).hold("tab")).rejects.toThrow("full");
    vi.stubGlobal("navigator", {
      locks: {
        request: () => {
          throw new DOMException("no", "SecurityError");
        },
      },
    });
    await expect(deviceLocks(new VirtualClock()).hold("tab")).rejects.toThrow("no");
  });
});

describe("leases", () => {
  it("outlive a storage that is full for a while", async () => {
    const stored = new Map<string, string>();
    let full = false;
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => {
        if (full) throw new DOMException("full", "QuotaExceededError");
        stored.set(key, value);
      },
      removeItem: () => {
        throw new DOMException("no", "SecurityError");
      },
    };
    const clock = new VirtualClock();
    const release = await leaseLocks(storage, clock).hold("tab");
    full = true;
    await clock.advance(8_000);
    full = false;
    await clock.advance(10_000);
    expect(await leaseLocks(storage, clock).hold("tab")).toBeNull();
    release?.();
    await clock.advance(20_000);
    expect(await leaseLocks(storage, clock).hold("tab")).not.toBeNull();
  });

  it("hold while their tab renews them, and expire after it dies", async () => {
    const stored = new Map<string, string>();
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    };
    const [alive, dying] = [new VirtualClock(), new VirtualClock()];
    expect(await leaseLocks(storage, dying).hold("tab")).not.toBeNull();
    await alive.advance(10_000);
    await dying.advance(10_000);
    expect(await leaseLocks(storage, alive).hold("tab")).toBeNull();
    await alive.advance(20_000);
    const release = await leaseLocks(storage, alive).hold("tab");
    expect(release).not.toBeNull();
    release?.();
    expect(stored.size).toBe(0);
  });

  it("of a dead tab expire even if the clock is set back", async () => {
    const stored = new Map<string, string>();
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    };
    const [alive, dying] = [new VirtualClock(), new VirtualClock()];
    expect(await leaseLocks(storage, dying).hold("tab")).not.toBeNull();
    alive.set(-86_400_000);
    await alive.advance(20_000);
    expect(await leaseLocks(storage, alive).hold("tab")).not.toBeNull();
  });

  it("[FILE-37] pass to a waiting tab when they are released or expire", async () => {
    const stored = new Map<string, string>();
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    };
    const [alive, dying] = [new VirtualClock(), new VirtualClock()];
    const locks = leaseLocks(storage, alive);
    const given: string[] = [];
    const wait = (who: string, signal: AbortSignal) =>
      locks.wait("file", signal).then((release) => {
        given.push(who);
        return release;
      });
    const release = await locks.hold("file");
    const cancelled = new AbortController();
    const ended = expect(wait("first", cancelled.signal)).rejects.toThrow("cancelled");
    const second = wait("second", new AbortController().signal);
    await alive.advance(30_000);
    expect(given).toEqual([]);
    cancelled.abort(new Error("cancelled"));
    await ended;
    release?.();
    await alive.advance(2_000);
    expect(given).toEqual(["second"]);
    (await second)();
    dying.set(alive.now() - dying.now());
    await leaseLocks(storage, dying).hold("file");
    const third = wait("third", new AbortController().signal);
    await alive.advance(10_000);
    expect(given).toEqual(["second"]);
    await alive.advance(10_000);
    expect(given).toEqual(["second", "third"]);
    (await third)();
    expect(stored.size).toBe(0);
  });

  it("[SYNC-47] of a hidden tab hold although its timers run once a minute", async () => {
    const stored = new Map<string, string>();
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    };
    const clock = new VirtualClock();
    let hidden = false;
    const listeners = new Set<() => void>();
    const page = {
      hidden: () => hidden,
      onChange: (listener: () => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    const throttled = {
      now: () => clock.now(),
      elapsed: () => clock.elapsed(),
      after: (delay: number, task: () => void) =>
        clock.after(hidden ? Math.max(60_000, delay) : delay, task),
    };
    const release = await leaseLocks(storage, throttled, page).hold("tab");
    await clock.advance(20_000);
    hidden = true;
    for (const listener of listeners) listener();
    for (let minute = 0; minute < 10; minute += 1) {
      await clock.advance(59_000);
      expect(await leaseLocks(storage, clock).hold("tab")).toBeNull();
    }
    release?.();
    expect([stored.size, listeners.size]).toEqual([0, 0]);
  });
});
