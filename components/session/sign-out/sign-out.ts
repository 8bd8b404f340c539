import type { AuthRefusal } from "@/events/auth/auth";
import { systemClock, systemRandom } from "@/events/core/clock";
import { deviceStorage } from "@/events/device/comment-drafts";
import { deviceOutbox } from "@/events/device/device-outbox";
import { indexedDbProposals } from "@/events/device/proposal-box";
import { deviceLocks } from "@/events/device/tab-locks";
import { countUnsent, isAllSent } from "@/events/device/unsent-count";
import type { UnsentCount } from "@/events/device/unsent-count";
import { countWaitingFiles } from "@/events/device/waiting-files";
import { restored, signOut } from "../tab";
import type { Tab } from "../tab";
import { askWhetherToSignOut } from "./sign-out-dialog";

/** The time in ms to send the latest edits before the dialog asks. */
const grace = 2_000;
const pause = 100;

/**
 * Signs out like `signOut`, but asks first if data of the person is unsent. Also returns null if
 * they stay.
 */
export async function askToSignOut(
  tab: Tab,
  scope: "local" | "global",
): Promise<AuthRefusal | null> {
  const found = await restored(tab).catch(() => null);
  const userId = found?.context.session?.userId;
  if (userId === undefined) return signOut(tab, scope);
  const read = reader(userId);
  const unsent = await settled(read);
  const isNothing = isAllSent(unsent) && unsent.drafts === 0;
  if (!isNothing && !(await askWhetherToSignOut({ unsent, read }))) return null;
  return signOut(tab, scope);
}

function reader(userId: string): () => Promise<UnsentCount> {
  const device = {
    outbox: deviceOutbox(),
    proposals: indexedDbProposals({
      tab: systemRandom.uuid(),
      locks: deviceLocks(systemClock),
      clock: systemClock,
    }),
    files: countWaitingFiles,
    storage: deviceStorage(),
  };
  return () => countUnsent(userId, device);
}

/** Waits up to `grace` for pending requests, then returns the counts of unsent data. */
async function settled(read: () => Promise<UnsentCount>): Promise<UnsentCount> {
  const begun = systemClock.now();
  for (;;) {
    const unsent = await read();
    const isOver = !navigator.onLine || systemClock.now() - begun > grace;
    if (isAllSent(unsent) || isOver) return unsent;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
