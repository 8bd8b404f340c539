import "@/events/device/indexed-db.fixture";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dropCopies, readCopy, writeCopy } from "@/events/device/copies";
import type { WholeState } from "@/events/crdt/validation/document-state";
import type { LiveDocument } from "@/machines/sync/live-document";
import { cacheOwner, setCacheOwner } from "@/components/session/cached-page";
import { cacheOnDevice, newestOf } from "./device-copy";

const key = { userId: "ana", documentId: "notes" };
const state = (version: number) => ({ version, state: new Uint8Array([version]) });
/** Returns the state that a worker joins for a version. The second byte marks it as joined. */
const joinedState = (version: number) => ({ version, state: new Uint8Array([version, 1]) });
const joinParts = async ({ version }: { version: number }) => joinedState(version).state;
const joinNothing = async () => null;

/** Creates a worker that answers its requests in order, each when the test calls for it. */
function waitingJoins() {
  const answers: (() => void)[] = [];
  const join = ({ version }: { version: number }) =>
    new Promise<Uint8Array>((resolve) => answers.push(() => resolve(joinedState(version).state)));
  return { answers, join };
}

function opened() {
  const listeners = new Set<() => void>();
  let [version, access] = [3, "write"];
  const refolded = new Set<number>();
  const confirmed = vi.fn(() => state(version));
  const live = {
    get version() {
      return version;
    },
    confirmed,
    parts: () => ({ version, state: new Uint8Array(), refolds: refolded.size }),
    joined: (parts: { version: number; refolds: number }, joined: Uint8Array): WholeState | null =>
      parts.refolds === refolded.size ? { version: parts.version, state: joined } : null,
    onAdvanced(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onReplaced: () => () => undefined,
    sync: { getSnapshot: () => ({ value: { access } }) },
  };
  return {
    // A fake with the part of LiveDocument that the copying uses.
    live: live as unknown as LiveDocument,
    confirmed,
    read(to: number) {
      version = to;
      for (const listener of listeners) listener();
    },
    foldAnew() {
      refolded.add(refolded.size);
    },
    shutOut() {
      access = "none";
    },
  };
}

let page = new EventTarget();

/** Waits until the device stores this copy. */
const kept = (copy: WholeState) =>
  vi.waitFor(async () => expect(await readCopy(key)).toEqual(copy), { timeout: 40_000 });

/** Lets pending work finish. */
async function settled() {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Starts to cache Ana's document on a device whose copy of Ben's cannot be deleted at first. */
async function cachedWhileBusy(): Promise<() => Promise<void>> {
  setCacheOwner("ben");
  const refused = vi.spyOn(IDBObjectStore.prototype, "clear").mockImplementationOnce(() => {
    throw new DOMException("The device is busy", "UnknownError");
  });
  const end = cacheOnDevice(opened().live, key, joinParts);
  await vi.waitFor(() => expect(refused).toHaveBeenCalled(), { timeout: 40_000 });
  await settled();
  return end;
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
  vi.stubGlobal("document", Object.assign(new EventTarget(), { visibilityState: "visible" }));
  page = new EventTarget();
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
  setCacheOwner("ana");
  await dropCopies();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("[OFFLINE-4] copies a document after a pause in log reading, and when it closes", async () => {
  const { live, read } = opened();
  const end = cacheOnDevice(live, key, joinParts);
  read(4);
  vi.advanceTimersByTime(3_000);
  await kept(joinedState(4));
  read(5);
  await end();
  await kept(joinedState(5));
  expect(await newestOf(key, state(2))).toEqual(joinedState(5));
  expect(await newestOf(key, state(6))).toEqual(state(6));
});

test("[OFFLINE-4] retries a copy that the device refused, without a further read", async () => {
  const { live, read } = opened();
  const end = cacheOnDevice(live, key, joinParts);
  await settled();
  vi.advanceTimersByTime(3_000);
  await kept(joinedState(3));
  const refused = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementationOnce(() => {
    throw new DOMException("The device is busy", "UnknownError");
  });
  read(4);
  vi.advanceTimersByTime(3_000);
  await vi.waitFor(() => expect(refused).toHaveBeenCalled(), { timeout: 40_000 });
  await settled();
  expect(await readCopy(key)).toEqual(joinedState(3));
  vi.advanceTimersByTime(3_000);
  await kept(joinedState(4));
  await end();
});

test("[OFFLINE-4] retries when the device could not clear another person’s copies", async () => {
  const end = await cachedWhileBusy();
  expect(cacheOwner()).toBeNull();
  vi.advanceTimersByTime(3_000);
  await vi.waitFor(() => expect(cacheOwner()).toBe("ana"), { timeout: 40_000 });
  await settled();
  vi.advanceTimersByTime(3_000);
  await kept(joinedState(3));
  await end();
});

test.each([
  ["signed out", null],
  ["signed in to another account", "carol"],
])("[OFFLINE-21] keeps nothing for a person who has %s before that retry", async (_how, owner) => {
  const end = await cachedWhileBusy();
  setCacheOwner(owner);
  for (let turn = 0; turn < 4; turn += 1) {
    vi.advanceTimersByTime(3_000);
    await settled();
  }
  expect(cacheOwner()).toBe(owner);
  expect(await readCopy(key)).toBeNull();
  await end();
});

test.each([
  ["who has signed out", () => setCacheOwner(null)],
  ["whose browser now has another account", () => setCacheOwner("ben")],
])("[OFFLINE-4] keeps nothing more for a person %s", async (_who, gone) => {
  const { live, read } = opened();
  const end = cacheOnDevice(live, key, joinParts);
  read(4);
  gone();
  vi.advanceTimersByTime(3_000);
  await end();
  expect(await readCopy(key)).toBeNull();
});

test("[OFFLINE-4] keeps nothing more for a person who lost access", async () => {
  const { live, read, shutOut } = opened();
  const end = cacheOnDevice(live, key, joinParts);
  read(4);
  shutOut();
  vi.advanceTimersByTime(3_000);
  await end();
  expect(await readCopy(key)).toBeNull();
});

test("[OFFLINE-26] a visible page encodes no copy itself", async () => {
  const { live, read, confirmed } = opened();
  const end = cacheOnDevice(live, key, joinParts);
  for (const version of [4, 5]) {
    read(version);
    vi.advanceTimersByTime(3_000);
    await kept(joinedState(version));
  }
  read(6);
  await end();
  await kept(joinedState(6));
  expect(confirmed).not.toHaveBeenCalled();
});

test("[OFFLINE-26] without a worker, the page makes the copy itself when idle", async () => {
  const { live, read, confirmed } = opened();
  let isIdle = () => {};
  vi.stubGlobal("window", { requestIdleCallback: true });
  vi.stubGlobal("requestIdleCallback", (done: () => void) => (isIdle = done));
  const end = cacheOnDevice(live, key, joinNothing);
  read(4);
  vi.advanceTimersByTime(3_000);
  await settled();
  expect(confirmed).not.toHaveBeenCalled();
  isIdle();
  await kept(state(4));
  await end();
});

test("[OFFLINE-26] the page makes the copy if its worker does not answer", async () => {
  const { live, read } = opened();
  const join = vi.fn(() => new Promise<Uint8Array>(() => {}));
  const end = cacheOnDevice(live, key, join);
  read(4);
  vi.advanceTimersByTime(3_000);
  await settled();
  vi.advanceTimersByTime(20_000);
  await settled();
  vi.advanceTimersByTime(50);
  await kept(state(4));
  read(5);
  vi.advanceTimersByTime(3_000);
  await settled();
  vi.advanceTimersByTime(50);
  await kept(state(5));
  expect(join).toHaveBeenCalledTimes(1);
  await end();
});

test("[OFFLINE-26] the page makes the copy if it has too many parts", async () => {
  const { live, read } = opened();
  const join = vi.fn(joinParts);
  const end = cacheOnDevice(Object.assign(live, { parts: () => null }), key, join);
  read(4);
  vi.advanceTimersByTime(3_000);
  await settled();
  vi.advanceTimersByTime(50);
  await kept(state(4));
  expect(join).not.toHaveBeenCalled();
  await end();
});

test.each([
  ["hidden", () => document.dispatchEvent(new Event("visibilitychange"))],
  ["closed", () => page.dispatchEvent(new Event("pagehide"))],
])(
  "[OFFLINE-26] a %s page does not wait for its worker, whose late answer is dropped",
  async (_how, leave) => {
    const { live, read } = opened();
    let answer: (joined: Uint8Array) => void = () => {};
    const joined = new Promise<Uint8Array>((resolve) => (answer = resolve));
    const end = cacheOnDevice(live, key, () => joined);
    read(4);
    vi.advanceTimersByTime(3_000);
    read(5);
    Object.assign(document, { visibilityState: "hidden" });
    const committed = vi.spyOn(IDBTransaction.prototype, "commit");
    leave();
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    // The page may end before the device answers.
    expect(committed).toHaveBeenCalledTimes(1);
    await kept(state(5));
    answer(joinedState(4).state);
    await settled();
    expect(await readCopy(key)).toEqual(state(5));
    await end();
  },
);

test("[OFFLINE-26] copies a document as it was left, even while another copy is being made", async () => {
  const { live, read } = opened();
  const { answers, join } = waitingJoins();
  const end = cacheOnDevice(live, key, join);
  read(4);
  vi.advanceTimersByTime(3_000);
  read(5);
  const ended = end();
  answers[0]?.();
  await vi.waitFor(() => expect(answers).toHaveLength(2), { timeout: 40_000 });
  answers[1]?.();
  await ended;
  await kept(joinedState(5));
});

test("[OFFLINE-26] copies edits recorded while a document closes, unless a newer copy exists", async () => {
  for (const [taken, newer] of [
    [5, 4],
    [7, 8],
  ] as const) {
    const { live, read } = opened();
    const end = cacheOnDevice(live, key, joinParts);
    read(taken - 1);
    let close = () => {};
    const ended = end(new Promise<void>((resolve) => (close = resolve)));
    await kept(joinedState(taken - 1));
    await writeCopy(key, state(newer));
    read(taken);
    close();
    await ended;
    expect(await readCopy(key)).toEqual(taken > newer ? joinedState(taken) : state(newer));
  }
});

test("[OFFLINE-26] writes no last copy for a person who signs out during the comparison", async () => {
  const { live, read } = opened();
  const end = cacheOnDevice(live, key, joinParts);
  read(4);
  let close = () => {};
  const ended = end(new Promise<void>((resolve) => (close = resolve)));
  await kept(joinedState(4));
  const { get } = IDBObjectStore.prototype;
  const compared = vi.spyOn(IDBObjectStore.prototype, "get");
  compared.mockImplementationOnce(function (this: IDBObjectStore, ...asked) {
    setCacheOwner(null);
    return get.apply(this, asked);
  });
  read(5);
  close();
  await ended;
  expect(compared).toHaveBeenCalled();
  expect(await readCopy(key)).toEqual(joinedState(4));
});

test("[OFFLINE-26] drops a copy if the document was refolded while it was made", async () => {
  const { live, read, foldAnew } = opened();
  const { answers, join } = waitingJoins();
  const end = cacheOnDevice(live, key, join);
  read(4);
  vi.advanceTimersByTime(3_000);
  foldAnew();
  answers[0]?.();
  await settled();
  expect(await readCopy(key)).toBeNull();
  vi.advanceTimersByTime(3_000);
  answers[1]?.();
  await kept(joinedState(4));
  await end();
});

test.each([
  ["has signed out", () => setCacheOwner(null)],
  ["lost access", null],
])("[OFFLINE-26] keeps no copy for a person who %s meanwhile", async (_who, gone) => {
  const { live, read, shutOut } = opened();
  let answer: (joined: Uint8Array) => void = () => {};
  const joined = new Promise<Uint8Array>((resolve) => (answer = resolve));
  const end = cacheOnDevice(live, key, () => joined);
  read(4);
  vi.advanceTimersByTime(3_000);
  (gone ?? shutOut)();
  answer(joinedState(4).state);
  await settled();
  await end();
  expect(await readCopy(key)).toBeNull();
});

test("[OFFLINE-4] copies a document written without a pause", async () => {
  const { live, read } = opened();
  const end = cacheOnDevice(live, key, joinParts);
  await settled();
  for (let version = 4; version <= 40; version += 1) {
    read(version);
    vi.advanceTimersByTime(1_000);
    await settled();
  }
  // Waiting for the device would create the pause.
  expect((await readCopy(key))?.version).toBeGreaterThan(30);
  await end();
});
