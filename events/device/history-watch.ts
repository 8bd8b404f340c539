import { tolerate } from "@/events/core/error-report";
import type { Clock } from "@/events/core/clock";
import type { SeenHeads, SeenHead } from "./seen-heads";
import type { Store } from "@/events/log/store";
import type { Seen } from "@/events/proof/verification";

/**
 * A history that differs from the history that this browser has seen. `shortened`: it ends before
 * `version`. `rewritten`: it differs from `version` on. `seen` is the newest remembered head.
 */
export type Alarm = { kind: "shortened" | "rewritten"; version: number; seen: Seen };

export type HistoryWatch = {
  /** The given store, wrapped so that all events that are read or appended are checked. */
  store: Store;
  alarmOf(stream: string): Alarm | null;
  subscribe(listener: () => void): () => void;
  /** Accepts the current history as the right one and forgets the heads that contradict it. */
  accept(stream: string): Promise<void>;
};

const pause = 1_000;

/**
 * Watches a store's history without delaying the store: seen heads are stored later, or not at all
 * without a memory.
 */
export function watchHistory(store: Store, memory: SeenHeads, clock: Clock): HistoryWatch {
  const seen = new Map<string, SeenHead[]>();
  const ends = new Map<string, number>();
  const alarms = new Map<string, Alarm>();
  const listeners = new Set<() => void>();
  let waiting = false;

  const raise = (stream: string, alarm: Alarm) => {
    alarms.set(stream, alarm);
    for (const listener of listeners) listener();
  };

  const stands = async (stream: string, version: number) =>
    (await store.read(stream, version - 1, 1)).length > 0;

  /**
   * Returns the last version that exists before a seen version that is gone. Returns null if the
   * seen version exists, or if none does. The requests are separate, because another tab may have
   * written meanwhile, and a caller without access gets an empty answer.
   */
  const lastBefore = async (stream: string, head: Seen) => {
    if ((await stands(stream, head.version)) || !(await stands(stream, 1))) return null;
    let [there, gone] = [1, head.version];
    while (gone - there > 1) {
      const middle = Math.floor((there + gone) / 2);
      if (await stands(stream, middle)) there = middle;
      else gone = middle;
    }
    return there;
  };

  const check = async (stream: string, seenHeads: SeenHead[], end: number | undefined) => {
    if (alarms.has(stream)) return;
    const before = await memory.recall(stream);
    if (before.head && end !== undefined && before.head.version > end) {
      const last = await lastBefore(stream, before.head);
      if (last !== null)
        return raise(stream, { kind: "shortened", version: last + 1, seen: before.head });
    }
    const contradiction = await memory.remember(stream, seenHeads, clock.now());
    if (contradiction && before.head)
      raise(stream, { kind: "rewritten", version: contradiction.version, seen: before.head });
  };

  const flush = () => {
    waiting = false;
    const streams = new Set([...seen.keys(), ...ends.keys()]);
    for (const stream of streams) {
      // Without storage or network, the watch merely detects less.
      check(stream, seen.get(stream) ?? [], ends.get(stream)).catch(tolerate("watching a history"));
    }
    seen.clear();
    ends.clear();
  };

  const see = (stream: string, seenHeads: SeenHead[]) => {
    const before = seen.get(stream);
    if (before) for (const seenHead of seenHeads) before.push(seenHead);
    else seen.set(stream, seenHeads);
    if (waiting) return;
    waiting = true;
    clock.after(pause, flush);
  };

  return {
    store: {
      ...store,
      async append(stream, expected, proposals, actor) {
        const answer = await store.append(stream, expected, proposals, actor);
        if (answer.ok)
          see(
            stream,
            answer.rulings.map(({ version, hash }) => ({ version, hash })),
          );
        return answer;
      },
      async read(stream, after, max) {
        const rows = await store.read(stream, after, max);
        // Only a complete answer shows where the stream ends. An empty answer shows that the stream
        // does not end later.
        if (max === undefined || rows.length < max)
          ends.set(stream, rows.at(-1)?.version ?? Math.min(after, ends.get(stream) ?? after));
        see(
          stream,
          rows.map(({ version, hash }) => ({ version, hash })),
        );
        return rows;
      },
    },
    alarmOf: (stream) => alarms.get(stream) ?? null,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async accept(stream) {
      const alarm = alarms.get(stream);
      if (!alarm) return;
      // A device that cannot forget raises the same alarm when the page is opened again.
      await memory.forget(stream, alarm.version).catch(tolerate("accepting a history"));
      alarms.delete(stream);
      for (const listener of listeners) listener();
    },
  };
}
