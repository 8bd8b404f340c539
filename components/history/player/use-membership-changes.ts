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
 * The membership changes of a workspace, from its stream; empty until that is read, or when it
 * cannot be.
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
      // The history of the document is complete without them.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [store, workspaceId]);
  return membershipChanges;
}
