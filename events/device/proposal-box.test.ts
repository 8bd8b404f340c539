import "./indexed-db.fixture";
import { describe, expect, it } from "vitest";
import type { Proposal } from "@/events/core/envelope";
import type { Clock } from "@/events/core/clock";
import { VirtualClock } from "@/events/core/virtual-clock.fixture";
import type { Refusal } from "@/events/log/refusal";
import type { OptimisticEvent } from "@/events/log/stream-rules";
import { StoreFault } from "@/events/log/store";
import type { Appended } from "@/events/log/store";
import { deviceDatabase } from "./database";
import { indexedDbProposals } from "./proposal-box";
import type { KeptProposal } from "./proposal-box";
import { flushProposals } from "./proposal-flush";

let databases = 0;

/** Creates a browser whose tabs share a database and locks. A crash releases a tab's locks. */
function browser() {
  databases += 1;
  const name = `proposals-${databases}`;
  const time = new VirtualClock();
  const wall = { offBy: 0 };
  const clock: Clock = {
    now: () => time.now() + wall.offBy,
    elapsed: () => time.elapsed(),
    after: (delay, run) => time.after(delay, run),
  };
  const held = new Map<string, string>();
  const tab = (own: string) =>
    indexedDbProposals({
      tab: own,
      clock,
      name,
      locks: {
        async hold(lock) {
          if (held.has(lock)) return null;
          held.set(lock, own);
          return () => held.delete(lock);
        },
      },
    });
  const crash = (own: string) => {
    for (const [lock, holder] of held) if (holder === own) held.delete(lock);
  };
  return { tab, crash, clock, wall, name };
}

const day = 86_400_000;
const scope = { userId: "ana", workspaceId: "w" };

function renamed(id: string, title: string, document = "d", batch?: string): KeptProposal {
  const subject = { kind: "document", id: document };
  const event: OptimisticEvent = {
    id,
    type: "document.renamed",
    body: { title },
    subject,
    actorId: "ana",
    time: "2026-11-28T00:00:00Z",
    ...(batch !== undefined && { batch }),
  };
  return { stream: subject, event };
}

/** Creates a log that records each id once, refuses as configured, and fails when it is down. */
function log() {
  const state = { down: false, refusal: null as Refusal | null, calls: [] as unknown[][] };
  const recorded: string[] = [];
  const append = async (
    stream: string,
    _expected: number | null,
    proposals: Proposal[],
    actor?: string,
  ): Promise<Appended> => {
    if (state.down) throw new StoreFault("no answer", 0);
    state.calls.push([stream, proposals.map(({ id }) => id), actor]);
    if (state.refusal) return { ok: false, refusal: state.refusal };
    for (const { id } of proposals) if (!recorded.includes(id)) recorded.push(id);
    return { ok: true, rulings: [] };
  };
  return { state, recorded, store: { append } };
}

describe("proposals on the device", () => {
  it("[OFFLINE-33] keep their order when the clock is set back by a year", async () => {
    const { tab, crash, wall } = browser();
    wall.offBy = 400 * day;
    const [first, second] = [tab("1").open(scope), tab("2").open(scope)];
    // A document is created, another one is moved into it, and its title is set in another tab.
    const all = [renamed("c", "made"), renamed("b", "moved"), renamed("a", "named")];
    await first.put(all.slice(0, 1));
    wall.offBy = 35 * day;
    await first.put(all.slice(1, 2));
    expect(await second.takeOver()).toEqual([]);
    await second.put(all.slice(2));
    crash("1");
    crash("2");
    expect(await tab("3").open(scope).takeOver()).toEqual(all);
  });

  it("[OFFLINE-33] keep their order across tabs when the tab that took them over dies too", async () => {
    const { tab, crash } = browser();
    const [first, second] = [tab("1").open(scope), tab("2").open(scope)];
    const all = [renamed("c", "made"), renamed("b", "moved"), renamed("a", "named")];
    for (const [nth, proposal] of all.entries()) {
      await [first, second][nth % 2]?.put([proposal]);
      // Each tab now knows the other tab's proposals that it has read.
      await Promise.all([first.takeOver(), second.takeOver()]);
    }
    for (const dead of ["1", "2"]) crash(dead);
    for (const next of ["3", "4", "5"]) {
      expect(await tab(next).open(scope).takeOver()).toEqual(all);
      crash(next);
    }
  });

  it("[OFFLINE-33] are taken over in order by the next tab once their own has died", async () => {
    const { tab, crash } = browser();
    const first = tab("1").open(scope);
    const all = [renamed("c", "one"), renamed("a", "two"), renamed("b", "three", "e")];
    await first.put(all.slice(0, 2));
    await first.put(all.slice(2));
    const second = tab("2").open(scope);
    expect(await second.takeOver()).toEqual([]);
    crash("1");
    expect(await second.takeOver()).toEqual(all);
    expect(await second.takeOver()).toEqual([]);
    await second.remove(["a"]);
    crash("2");
    expect(await tab("3").open(scope).takeOver()).toEqual([all[0], all[2]]);
  });

  it("[OFFLINE-33] are given to one of two tabs that ask at once", async () => {
    const { tab, crash } = browser();
    await tab("1")
      .open(scope)
      .put([renamed("a", "one")]);
    crash("1");
    const both = await Promise.all([
      tab("2").open(scope).takeOver(),
      tab("3").open(scope).takeOver(),
    ]);
    expect(both.flat()).toEqual([renamed("a", "one")]);
  });

  it("[OFFLINE-33] belong to one person and one workspace, and foreign records are ignored", async () => {
    const { tab, crash, name } = browser();
    const device = tab("1");
    await device.open(scope).put([renamed("a", "one")]);
    const found = {
      ...renamed("b", "two"),
      event: { ...renamed("b", "two").event, actorId: "ben" },
    };
    await deviceDatabase(name, ["proposals"]).transact("readwrite", async (transaction) => {
      const records = transaction.objectStore("proposals");
      await records.put(found, ["ana", "w", "1", "9", "b"]);
      await records.put("a letter", ["ana", "w", "1", "9", "c"]);
    });
    expect(await device.workspaces("ana")).toEqual(["w"]);
    expect(await device.workspaces("ben")).toEqual([]);
    expect(await device.workspaces("an")).toEqual([]);
    crash("1");
    expect(await tab("2").open({ userId: "ben", workspaceId: "w" }).takeOver()).toEqual([]);
    expect(await tab("2").open({ userId: "ana", workspaceId: "v" }).takeOver()).toEqual([]);
    expect(await tab("2").open(scope).takeOver()).toEqual([renamed("a", "one")]);
  });
});

describe("the flush of leftover proposals", () => {
  it("[OFFLINE-33] sends them as their person, keeps batches whole, and sends each id once", async () => {
    const { tab, crash } = browser();
    const { state, recorded, store } = log();
    const box = tab("1").open(scope);
    await box.put([
      renamed("a", "one"),
      renamed("b", "x", "e", "batch"),
      renamed("c", "y", "e", "batch"),
    ]);
    crash("1");
    const flush = (own: string, except: string | null = null) =>
      flushProposals({ userId: "ana", device: tab(own), store, except });
    expect(await flush("2", "w")).toEqual([]);
    state.down = true;
    await expect(flush("3")).rejects.toThrow(StoreFault);
    state.down = false;
    expect(await flush("4")).toEqual([]);
    expect(await flush("5")).toEqual([]);
    expect(state.calls).toEqual([
      ["d", ["a"], "ana"],
      ["e", ["b", "c"], "ana"],
    ]);
    expect(recorded).toEqual(["a", "b", "c"]);
  });

  it("[OFFLINE-33] reports a refusal once, and keeps proposals that belong to another session", async () => {
    const { tab, crash } = browser();
    const { state, store } = log();
    await tab("1")
      .open(scope)
      .put([renamed("a", "one")]);
    crash("1");
    const flush = (own: string) =>
      flushProposals({ userId: "ana", device: tab(own), store, except: null });
    state.refusal = { name: "not-permitted", reason: "other-account", detail: "" };
    await expect(flush("2")).rejects.toThrow(StoreFault);
    // The workspace's page merges the proposal.
    state.refusal = { name: "version-conflict", reason: "replaced-since", detail: "" };
    expect(await flush("3")).toEqual([]);
    crash("3");
    state.refusal = { name: "illegal-transition", reason: "phase", detail: "" };
    expect(await flush("4")).toEqual([state.refusal]);
    expect(await flush("5")).toEqual([]);
  });
});
