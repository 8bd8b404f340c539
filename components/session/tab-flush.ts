import { tolerate } from "@/events/core/error-report";
import { systemClock, systemRandom } from "@/events/core/clock";
import { deviceOutbox } from "@/events/device/device-outbox";
import { indexedDbProposals } from "@/events/device/proposal-box";
import { flushProposals } from "@/events/device/proposal-flush";
import { deviceLocks } from "@/events/device/tab-locks";
import type { Refusal } from "@/events/log/refusal";
import type { Store } from "@/events/log/store";

/**
 * Sends the unsent records of one person from this browser's outbox. Returns the ids of the
 * documents that refused some.
 */
export async function flushTab(store: Store, userId: string): Promise<string[]> {
  const outbox = deviceOutbox();
  // A device without storage has nothing to send. An open document reports the missing storage.
  const left = await outbox.documents(userId).catch(tolerate("looking for unsent edits"));
  if (!left?.length) return [];
  // The engine loads only when there is something to send.
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

/**
 * Sends one person's stored proposals, except those of a workspace whose page is open here. Returns
 * the refusals.
 */
export async function flushTabProposals(
  store: Store,
  userId: string,
  except: string | null,
): Promise<Refusal[]> {
  const device = indexedDbProposals({
    tab: systemRandom.uuid(),
    locks: deviceLocks(systemClock),
    clock: systemClock,
  });
  const flushed = flushProposals({ userId, device, store, except });
  return (await flushed.catch(tolerate("sending what was proposed earlier"))) ?? [];
}
