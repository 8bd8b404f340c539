import { systemClock, systemRandom } from "@/events/core/clock";
import { withDeadline } from "@/events/device/deadline";
import { indexedDbProposals } from "@/events/device/proposal-box";
import { deviceLocks } from "@/events/device/tab-locks";

/** Drops what a person has proposed on this device and the log does not have. */
export async function forgetProposals(userId: string): Promise<void> {
  const tab = systemRandom.uuid();
  const device = indexedDbProposals({ tab, locks: deviceLocks(systemClock), clock: systemClock });
  await withDeadline(systemClock, device.forget(userId));
}
