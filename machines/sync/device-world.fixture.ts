import { memoryOutbox } from "@/events/device/outbox";
import type { Outbox, OutboxBox } from "@/events/device/outbox";
import { StoreFault } from "@/events/log/store";
import type { Store } from "@/events/log/store";
import { world } from "./live-world.fixture";
import type { LiveDocument } from "./live-document";
import { flushOutbox } from "./outbox-flush";
import { status } from "./sync-status";

export const labelOf = (live: LiveDocument) => status(live.sync.getSnapshot()).label;
export const sentenceOf = (live: LiveDocument) => status(live.sync.getSnapshot()).sentence;
export const never = <T>() => new Promise<T>(() => {});

/** Creates a world in which appends can fail or hang, and tabs can leave their boxes behind. */
export function device() {
  const there = world();
  const outbox = memoryOutbox();
  let mode: "works" | "fails" | "hangs" = "works";
  const dead = new Set<string>();
  const flaky = (store: Store, tab: string): Store => ({
    ...store,
    async append(...call) {
      if (dead.has(tab)) return never();
      if (mode === "works") return store.append(...call);
      // Waits as long as the product does for a request without an answer.
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
  /** Crashes the tab that opened the first box. It sends nothing more and leaves its box behind. */
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
