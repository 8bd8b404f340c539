import { describe, expect, it } from "vitest";
import { memoryOutbox } from "@/events/device/outbox";
import type { Outbox } from "@/events/device/outbox";
import {
  crashingOutbox,
  logText,
  textOf,
  type as typeInto,
  world,
} from "@/machines/sync/live-world.fixture";
import { KeptInput } from "./kept-input";
import type { LeftGroup } from "./kept-input";

const key = "palimpsest.early.ana.d.1";
const paste = { strings: { "text/plain": " Pasted." } };
const groups: LeftGroup[] = [
  { from: null, to: null, words: "", deleted: 0, removed: false, pieces: ["Kept.", paste] },
];

/** Creates the local storage of one device, with the input that an earlier page kept. */
function device() {
  const values = new Map([[key, JSON.stringify(groups)]]);
  const storage: Storage = {
    get length() {
      return values.size;
    },
    clear: () => values.clear(),
    key: (at) => [...values.keys()][at] ?? null,
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => void values.set(name, value),
    removeItem: (name) => void values.delete(name),
  };
  return storage;
}

const wordsOf = (missing: readonly LeftGroup[] | null) =>
  (missing ?? [])
    .flatMap(({ pieces }) => pieces)
    .map((piece) => {
      if (typeof piece === "string") return piece;
      return "strings" in piece ? (piece.strings["text/plain"] ?? "") : "\n";
    })
    .join("");

/** Creates a device whose pages open one document. Each page has a process that may be killed. */
async function writer() {
  const { clock, backend, open } = world();
  const plain = memoryOutbox();
  const storage = device();
  const page = async (
    tabId: string,
    { storesEdits = true, online = true, later = null as Promise<void> | null } = {},
  ) => {
    const { outbox, crash } = crashingOutbox(plain);
    const dead = { now: false };
    const mortal: Outbox = {
      ...outbox,
      open: async (scope) => {
        const box = await outbox.open(scope);
        return storesEdits ? box : { ...box, write: () => new Promise(() => {}) };
      },
    };
    const tab = backend.tab("ana", tabId);
    const live = open(tab, { outbox: mortal });
    await clock.advance(1_000);
    if (!online) tab.setOffline(true);
    const kept = new KeptInput(
      key,
      {
        get fragment() {
          return live.fragment;
        },
        edits: Promise.resolve(live),
      },
      // A dead process removes nothing.
      { ...storage, removeItem: (name) => dead.now || storage.removeItem(name) },
    );
    return {
      live,
      /** Writes the text's missing groups, as an editor does. */
      take: async () => {
        const missing = await kept.missing();
        const words = wordsOf(missing);
        const first = later === null ? words : words.replace(" Pasted.", "");
        if (first !== "") typeInto(live, first);
        const written = (missing ?? []).map((group) => ({
          ...group,
          pieces: group.pieces.map((piece) =>
            typeof piece === "object" && "strings" in piece ? { ...piece, files: [] } : piece,
          ),
        }));
        if (missing !== null) void kept.removeOnceStored(written, later);
      },
      kill: () => {
        dead.now = true;
        tab.setOffline(true);
        crash();
      },
      dieBeforeRemoving: () => (dead.now = true),
    };
  };
  return { clock, backend, storage, page };
}

describe("[EDIT-27] input that the device keeps of a page that ended", () => {
  it("is removed once the device or the log has the edit that contains it", async () => {
    const { clock, storage, page } = await writer();
    const first = await page("1", { online: false });
    await first.take();
    expect(storage.getItem(key)).not.toBeNull();
    await clock.advance(1_000);
    expect(storage.getItem(key)).toBeNull();
    expect(textOf(first.live)).toBe("Kept. Pasted.");
  });

  it("stays while the device stores no edits, until the log has them", async () => {
    const { clock, backend, storage, page } = await writer();
    const first = await page("1", { storesEdits: false });
    await first.take();
    expect(storage.getItem(key)).not.toBeNull();
    await clock.advance(20_000);
    expect(logText(backend)).toBe("Kept. Pasted.");
    expect(storage.getItem(key)).toBeNull();
  });

  it("is written by the next page if the process dies before the edit is stored", async () => {
    const { clock, backend, storage, page } = await writer();
    const first = await page("1", { storesEdits: false, online: false });
    await first.take();
    await clock.advance(1_000);
    first.kill();
    const next = await page("2");
    await next.take();
    await clock.advance(20_000);
    expect(textOf(next.live)).toBe("Kept. Pasted.");
    expect(logText(backend)).toBe("Kept. Pasted.");
    expect(storage.getItem(key)).toBeNull();
  });

  it.each([
    ["on the device", false],
    ["in the log", true],
  ])("is written once if the process dies when the edit is %s", async (_where, online) => {
    const { clock, backend, storage, page } = await writer();
    const first = await page("1", { online });
    first.dieBeforeRemoving();
    await first.take();
    await clock.advance(20_000);
    first.kill();
    expect(storage.getItem(key)).not.toBeNull();
    const next = await page("2");
    await next.take();
    await clock.advance(20_000);
    expect(textOf(next.live)).toBe("Kept. Pasted.");
    expect(logText(backend)).toBe("Kept. Pasted.");
    expect(storage.getItem(key)).toBeNull();
  });

  it("loses no paste if the process dies while the code for it loads", async () => {
    const { clock, backend, page } = await writer();
    const first = await page("1", { online: false, later: new Promise(() => {}) });
    await first.take();
    await clock.advance(1_000);
    expect(textOf(first.live)).toBe("Kept.");
    first.kill();
    const next = await page("2");
    await next.take();
    await clock.advance(20_000);
    expect(logText(backend)).toBe("Kept. Pasted.");
  });
});
