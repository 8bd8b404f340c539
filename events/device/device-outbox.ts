import { systemClock, systemRandom } from "@/events/core/clock";
import type { Outbox } from "./outbox";
import { indexedDbOutbox } from "./outbox-store";
import { deviceLocks } from "./tab-locks";
import type { TabLocks } from "./tab-locks";
import { broadcastNews } from "./tab-news";

/**
 * Returns this browser's outbox. Each call has a new tab name, because the outbox of an earlier
 * call may still be sending its content.
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
