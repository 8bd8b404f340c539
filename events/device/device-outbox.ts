import { systemClock, systemRandom } from "@/events/core/clock";
import { type Outbox } from "./outbox";
import { indexedDbOutbox } from "./outbox-store";
import { deviceLocks, type TabLocks } from "./tab-locks";
import { broadcastNews } from "./tab-news";

/**
 * This browser's outbox under a name of its own for every use: what was opened before may still be
 * sending what it holds.
 */
export function deviceOutbox(): Outbox & { locks: TabLocks } {
  const locks = deviceLocks(systemClock);
  return {
    ...indexedDbOutbox({
      tab: systemRandom.uuid(),
      locks,
      clock: systemClock,
      news: broadcastNews,
    }),
    locks,
  };
}
