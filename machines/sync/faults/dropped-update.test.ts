import { describe, expect, it } from "vitest";
import { StoreFault } from "@/events/log/store";
import type { Store } from "@/events/log/store";
import type { LiveDocument } from "../live-document";
import { fromLog, logText, textOf, type, world } from "../live-world.fixture";
import { status } from "../sync-status";

const labelOf = (live: LiveDocument) => status(live.sync.getSnapshot()).label;
/** Whether Yjs holds back updates that it cannot place. */
const isPending = ({ doc }: LiveDocument) =>
  doc.store.pendingStructs !== null || doc.store.pendingDs !== null;

/** Opens one page for Ana and Ben. `held` are Ana's appends, which wait for their release. */
async function meeting() {
  const all = world();
  const { backend, clock } = all;
  let isHeld = false;
  const anas = backend.tab("ana", "1");
  const store = anas.store();
  const ana = all.open(anas, {
    store: {
      ...store,
      async append(...call) {
        if (isHeld) throw new StoreFault("down", 503);
        return store.append(...call);
      },
    },
  });
  const bens = backend.tab("ben", "1");
  const ben = all.open(bens);
  await clock.advance(1_000);
  return { ...all, anas, ana, bens, ben, hold: (held: boolean) => (isHeld = held) };
}

describe("an early update that is dropped", () => {
  it.each([1, 2, 3, 5])(
    "[SYNC-87] after %i lost messages, later ones are shown with the log, and nothing is recorded above the gap",
    async (lost) => {
      const { clock, backend, ana, anas, ben, hold } = await meeting();
      type(ana, "Word. ");
      await clock.advance(5_000);
      hold(true);
      let dropped = 0;
      backend.reaches = (from) => from !== anas || (dropped += 1) > lost;
      for (const letter of "abcdefgh") {
        type(ana, letter);
        await clock.advance(100);
        expect(isPending(ben)).toBe(false);
        // Later letters wait for the lost letter, so the page shows a prefix of Ana's text without
        // a hole.
        expect("Word. abcdefgh".startsWith(textOf(ben))).toBe(true);
      }
      expect(dropped).toBeGreaterThan(lost);
      // Ben writes in front of Ana's letters, and the log accepts his text while it lacks hers.
      type(ben, "Ben: ", 0);
      await clock.advance(3_000);
      expect(logText(backend)).toBe("Ben: Word. ");
      expect(fromLog(backend).anomalies).toEqual([]);
      hold(false);
      await clock.advance(60_000);
      expect(logText(backend)).toBe("Ben: Word. abcdefgh");
      for (const live of [ana, ben]) {
        expect(textOf(live)).toBe(logText(backend));
        expect(isPending(live)).toBe(false);
        expect(labelOf(live)).toBe("Saved");
      }
      expect(fromLog(backend).anomalies).toEqual([]);
    },
  );

  it.each([
    ["the first row", 0],
    ["a row in the middle", 2],
  ])(
    "[SYNC-87] a log reading that lacks %s is requested again, and shows no other text",
    async (_name, lacking) => {
      const { clock, backend, ana, open } = await meeting();
      for (const letter of "abcde") {
        type(ana, letter);
        await clock.advance(3_000);
      }
      const carols = backend.tab("carol", "1");
      const store = carols.store();
      let cut = 0;
      const read: Store["read"] = async (...call) => {
        const rows = await store.read(...call);
        if (cut >= 2 || rows.length <= lacking + 1) return rows;
        cut += 1;
        return rows.toSpliced(lacking, 1);
      };
      const carol = open(carols, { store: { ...store, read } });
      const shown = new Set<string>();
      for (let step = 0; step < 100; step += 1) {
        await clock.advance(50);
        shown.add(textOf(carol));
        expect(isPending(carol)).toBe(false);
      }
      expect(cut).toBeGreaterThan(0);
      for (const text of shown) expect("abcde".startsWith(text)).toBe(true);
      type(carol, "!");
      await clock.advance(60_000);
      expect(logText(backend)).toBe("abcde!");
      expect(textOf(carol)).toBe("abcde!");
      expect(labelOf(carol)).toBe("Saved");
      expect(fromLog(backend).anomalies).toEqual([]);
    },
  );
});
