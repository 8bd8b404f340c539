import { systemClock, systemRandom } from "@/events/core/clock";
import type { Subject } from "@/events/core/envelope";
import { tolerate } from "@/events/core/error-report";
import {
  indexedDbProposals,
  type DeviceProposals,
  type KeptProposal,
} from "@/events/device/proposal-box";
import { deviceLocks } from "@/events/device/tab-locks";
import type { Keep } from "@/events/log/pending-keeper";
import type { OptimisticEvent } from "@/events/log/stream-rules";

/** What was proposed to one stream, in order. */
type StreamProposals = {
  stream: Subject;
  events: readonly [OptimisticEvent, ...OptimisticEvent[]];
};

/** What this tab keeps on the device of a person's proposals in a workspace, and what it takes over from others. */
export type WorkspaceProposals = {
  /** Keeps the proposals of one stream. */
  keepFor(stream: Subject): Keep;
  /** What tabs that have died have left, by stream. */
  takeOver(): Promise<StreamProposals[]>;
};

/** Proposals by their streams, in the order in which each stream is first named. */
function byStream(kept: readonly KeptProposal[]): StreamProposals[] {
  const found = new Map<string, StreamProposals>();
  for (const { stream, event } of kept) {
    const before = found.get(stream.id);
    found.set(stream.id, { stream, events: before ? [...before.events, event] : [event] });
  }
  return [...found.values()];
}

/** The proposals of one person in one workspace. Without storage on the device they last as long as the tab. */
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

/** Those of this tab, which are the same for as long as it lives: what a page has left may still be on its way. */
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
