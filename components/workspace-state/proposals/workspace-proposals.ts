import { systemClock, systemRandom } from "@/events/core/clock";
import type { Subject } from "@/events/core/envelope";
import { tolerate } from "@/events/core/error-report";
import { indexedDbProposals } from "@/events/device/proposal-box";
import type { DeviceProposals, KeptProposal } from "@/events/device/proposal-box";
import { deviceLocks } from "@/events/device/tab-locks";
import type { Keep } from "@/events/log/pending-keeper";
import type { OptimisticEvent } from "@/events/log/stream-rules";

/** The proposals to one stream, in order. */
type StreamProposals = {
  stream: Subject;
  events: readonly [OptimisticEvent, ...OptimisticEvent[]];
};

/**
 * A person's proposals in a workspace: the proposals that this tab stores on the device, and those
 * of other tabs that it takes over.
 */
export type WorkspaceProposals = {
  /** Stores the proposals of one stream. */
  keepFor(stream: Subject): Keep;
  /** Takes over the proposals of closed tabs, by stream. */
  takeOver(): Promise<StreamProposals[]>;
};

/** Groups proposals by stream, in the order of each stream's first proposal. */
function byStream(kept: readonly KeptProposal[]): StreamProposals[] {
  const found = new Map<string, StreamProposals>();
  for (const { stream, event } of kept) {
    const before = found.get(stream.id);
    found.set(stream.id, { stream, events: before ? [...before.events, event] : [event] });
  }
  return [...found.values()];
}

/** Creates a person's proposals in a workspace. Without storage they last as long as the tab. */
function workspaceProposals(
  device: DeviceProposals,
  userId: string,
  workspaceId: string,
): WorkspaceProposals {
  const box = device.open({ userId, workspaceId });
  const tolerated = tolerate("keeping a proposal");
  return {
    keepFor: (stream) => ({
      put: (events) => void box.put(events.map((event) => ({ stream, event }))).catch(tolerated),
      remove: (ids) => void box.remove(ids).catch(tolerated),
    }),
    takeOver: async () => byStream((await box.takeOver().catch(tolerated)) ?? []),
  };
}

const opened = new Map<string, WorkspaceProposals>();

/**
 * Returns the instance of this tab, which is kept for the tab's lifetime. Proposals of an earlier
 * page may still be in flight.
 */
export function tabProposals(userId: string, workspaceId: string): WorkspaceProposals {
  const name = `${userId}/${workspaceId}`;
  const found =
    opened.get(name) ??
    workspaceProposals(
      indexedDbProposals({
        tab: systemRandom.uuid(),
        locks: deviceLocks(systemClock),
        clock: systemClock,
      }),
      userId,
      workspaceId,
    );
  opened.set(name, found);
  return found;
}
