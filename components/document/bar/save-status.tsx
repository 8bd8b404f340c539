"use client";

import { Check, CloudOff, LoaderCircle, TriangleAlert } from "lucide-react";
import type { SyncStatus } from "@/machines/sync/sync-status";
import { Status } from "@/components/ui/status";

const looks = {
  calm: { icon: Check, tone: "quiet" },
  busy: { icon: LoaderCircle, tone: "quiet" },
  warning: { icon: CloudOff, tone: "warn" },
  problem: { icon: TriangleAlert, tone: "bad" },
} as const;

/**
 * Whether what is written is saved: the machine's own words. Before the device was asked what it
 * keeps from before, nothing is said.
 */
export function SaveStatus({ status }: { status: SyncStatus | null }) {
  if (status === null) return <Status label="" compact />;
  const { icon, tone } = looks[status.tone];
  // The sentence that goes with trouble stands in a banner of its own, which is what is read out.
  return (
    <span title={status.sentence}>
      <Status icon={icon} tone={tone} label={status.label} compact />
    </span>
  );
}
