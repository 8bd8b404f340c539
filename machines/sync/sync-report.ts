import type { ChannelFacts } from "./channel/document-channel";
import type { PendingAmounts } from "./device/pending-amounts";
import type { MirrorAmounts } from "./device/outbox-mirror";
import type { RebuildReason } from "./log/page-rebuild";
import type { Failure } from "./recent-failures";
import { status } from "./sync-status";
import type { syncMachine } from "./status/sync";
import type { Access, Elsewhere, Trouble } from "./status/sync-events";
import type { SnapshotFrom } from "xstate";

/** The sync state of one open document in names and numbers, without any written text. */
export type SyncReport = {
  at: string;
  documentId: string;
  status: string;
  machine: Record<string, string>;
  calls: {
    failedSends: number;
    failedReads: number;
    trouble: Trouble;
    sendDelayMs: number;
  };
  confirmed: {
    version: number;
    refolds: number;
    rejectedEdits: number;
    inDoubt: boolean;
    acknowledgedUnread: boolean;
    logRollbacks: number;
  };
  unsent: PendingAmounts;
  page: {
    clientId: number;
    rebuilding: boolean;
    /** The reasons of the latest rebuilds. */
    rebuiltFor: readonly RebuildReason[];
    othersUnlogged: number;
  };
  channel: ChannelFacts;
  device: MirrorAmounts & {
    storesOutbox: boolean;
    complete: boolean;
    full: boolean;
    elsewhere: Elsewhere;
  };
  access: Access;
  failures: readonly Failure[];
};

/** The pipeline's part of the report. */
export type PipelineReport = Pick<SyncReport, "unsent" | "confirmed" | "page" | "failures"> & {
  snapshot: SnapshotFrom<typeof syncMachine>;
};

type Facts = PipelineReport &
  Pick<SyncReport, "at" | "documentId" | "channel" | "access"> & {
    device: Omit<SyncReport["device"], "full" | "elsewhere">;
  };

/** Builds the report from the machine's snapshot and the parts of an editing session. */
export function syncReport({ snapshot, device, ...facts }: Facts): SyncReport {
  const { context } = snapshot;
  return {
    ...facts,
    status: status(snapshot).label,
    machine: {
      ...Object.fromEntries(
        Object.entries(snapshot.value).map(([region, state]) => [region, stateName(state)]),
      ),
      network: context.network ? "there" : "missing",
    },
    calls: {
      failedSends: context.failures,
      failedReads: context.misses,
      trouble: context.trouble,
      sendDelayMs: context.delay,
    },
    device: { ...device, full: context.full, elsewhere: context.elsewhere },
  };
}

type StateName = string | { [parent: string]: StateName | undefined };

/** Returns a state with its nested states, outermost first. */
function stateName(state: StateName): string {
  return typeof state === "string"
    ? state
    : Object.entries(state)
        .map(([parent, child]) => (child === undefined ? parent : `${parent}.${stateName(child)}`))
        .join(" ");
}
