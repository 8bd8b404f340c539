import { systemClock, systemRandom } from "@/events/core/clock";
import { withDeadline } from "@/events/device/deadline";
import { indexedDbProposals } from "@/events/device/proposal-box";
import { deviceLocks } from "@/events/device/tab-locks";

/** Deletes a person's proposals on this device that the log does not have. */
export async function forgetProposals(userId: string): Promise<void> {
  const tab = systemRandom.uuid();
  const device = indexedDbProposals({ tab, locks: deviceLocks(systemClock), clock: systemClock });
  await withDeadline(systemClock, device.forget(userId));
}
