import { tolerate } from "@/events/core/error-report";
import { systemClock, systemRandom } from "@/events/core/clock";
import { deviceOutbox } from "@/events/device/device-outbox";
import type { Store } from "@/events/log/store";

/** Sends what this browser's outbox holds of one person; answers the documents that refused something. */
export async function flushTab(store: Store, userId: string): Promise<string[]> {
  const outbox = deviceOutbox();
  // A device that keeps nothing has nothing to be sent, which an open document says.
  const left = await outbox.documents(userId).catch(tolerate("looking for unsent edits"));
  if (!left?.length) return [];
  // The engine comes only where there is something for it to do.
  const [{ flushOutbox }, { schemaVersion }] = await Promise.all([
    import("@/machines/sync/outbox-flush"),
    import("@/events/content/schema"),
  ]);
  return flushOutbox({
    userId,
    store,
    outbox,
    locks: outbox.locks,
    clock: systemClock,
    random: systemRandom,
    schemaVersion,
  });
}
