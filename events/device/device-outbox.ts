import { systemClock, systemRandom } from "@/events/core/clock";
import type { Outbox } from "./outbox";
import { indexedDbOutbox } from "./outbox-store";
import { deviceLocks } from "./tab-locks";
import type { TabLocks } from "./tab-locks";
import { broadcastNews } from "./tab-news";

/**
 * This browser's outbox, with a new tab name at each call, because an earlier one may still be
 * sending its content.
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
