import "@/events/device/indexed-db.fixture";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dropCopies, readCopy } from "@/events/device/copies";
import type { LiveDocument } from "@/machines/sync/live-document";
import { setCacheOwner } from "@/components/session/cached-page";
import { cacheOnDevice, newestOf } from "./device-copy";

const key = { userId: "ana", documentId: "notes" };
const state = (version: number) => ({ version, state: new Uint8Array([version]) });

function opened() {
  const listeners = new Set<() => void>();
  let [version, access] = [3, "write"];
  const live = {
    get version() {
      return version;
    },
    confirmed: () => state(version),
    onRows(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onReplaced: () => () => undefined,
    sync: { getSnapshot: () => ({ value: { access } }) },
  };
  return {
    // Of an open document, keeping a copy needs these alone.
    live: live as unknown as LiveDocument,
    read(to: number) {
      version = to;
      for (const listener of listeners) listener();
    },
    shutOut() {
      access = "none";
    },
  };
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const stored = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
    removeItem: (name: string) => stored.delete(name),
  });
  vi.stubGlobal("window", {});
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("document", new EventTarget());
  const page = new EventTarget();
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
  setCacheOwner("ana");
  await dropCopies();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("[OFFLINE-4] a document is kept once its reading rests, and when it is left before", async () => {
  const { live, read } = opened();
  const end = cacheOnDevice(live, key);
  read(4);
  vi.advanceTimersByTime(3_000);
  await vi.waitFor(async () => expect((await readCopy(key))?.version).toBe(4), { timeout: 40_000 });
  read(5);
  end();
  await vi.waitFor(async () => expect((await readCopy(key))?.version).toBe(5), { timeout: 40_000 });
  expect(await newestOf(key, state(2))).toEqual(state(5));
  expect(await newestOf(key, state(6))).toEqual(state(6));
});

test.each([
  ["who has signed out", () => setCacheOwner(null)],
  ["whose browser is somebody else’s now", () => setCacheOwner("ben")],
])("[OFFLINE-4] nothing more is kept for somebody %s", async (_who, gone) => {
  const { live, read } = opened();
  const end = cacheOnDevice(live, key);
  read(4);
  gone();
  vi.advanceTimersByTime(3_000);
  end();
  expect(await readCopy(key)).toBeNull();
});

test("[OFFLINE-4] nothing more is kept for somebody who was shut out", async () => {
  const { live, read, shutOut } = opened();
  const end = cacheOnDevice(live, key);
  read(4);
  shutOut();
  vi.advanceTimersByTime(3_000);
  end();
  expect(await readCopy(key)).toBeNull();
});
