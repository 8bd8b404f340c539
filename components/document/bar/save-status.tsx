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

/** Shows the save status in the machine's words. Empty until the device's outbox has been read. */
export function SaveStatus({ status }: { status: SyncStatus | null }) {
  if (status === null) return <Status label="" compact />;
  const { icon, tone } = looks[status.tone];
  // A banner shows the sentence of a problem, and screen readers announce that banner.
  return (
    <span title={status.sentence}>
      <Status icon={icon} tone={tone} label={status.label} compact />
    </span>
  );
}
