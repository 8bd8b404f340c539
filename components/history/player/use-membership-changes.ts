"use client";

import { useEffect, useState } from "react";
import type { Ruled } from "@/events/core/envelope";
import type { Store } from "@/events/log/store";
import type { MembershipChange } from "@/components/history/playback/timeline-markers";

const types = ["member.joined", "member.left", "member.removed"];

function membershipChangeOf({ id, type, subject, recordedAt }: Ruled): MembershipChange[] {
  return types.includes(type)
    ? [
        {
          key: id,
          userId: subject.id,
          time: Date.parse(recordedAt),
          left: type !== "member.joined",
        },
      ]
    : [];
}

/**
 * Returns the membership changes of a workspace, from its stream. Empty until the stream is read,
 * or if it cannot be read.
 */
export function useMembershipChanges(
  store: Pick<Store, "read"> | null,
  workspaceId: string,
): readonly MembershipChange[] {
  const [membershipChanges, setMembershipChanges] = useState<readonly MembershipChange[]>([]);
  useEffect(() => {
    let isCurrent = true;
    store?.read(workspaceId, 0).then(
      (rows) => isCurrent && setMembershipChanges(rows.flatMap(membershipChangeOf)),
      // The history of the document is complete without membership changes.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [store, workspaceId]);
  return membershipChanges;
}
