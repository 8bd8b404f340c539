"use client";

import { useEffect, useState } from "react";
import { type Ruled } from "@/events/core/envelope";
import { type Store } from "@/events/log/store";
import { type Coming } from "@/components/history/playback/timeline-markers";

const types = ["member.joined", "member.left", "member.removed"];

function comingOf({ id, type, subject, recordedAt }: Ruled): Coming[] {
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

/** Who came into a workspace and who left, from the workspace's own stream; nobody until that is read, or where it cannot be. */
export function useComings(
  store: Pick<Store, "read"> | null,
  workspaceId: string,
): readonly Coming[] {
  const [comings, setComings] = useState<readonly Coming[]>([]);
  useEffect(() => {
    let wanted = true;
    store?.read(workspaceId, 0).then(
      (rows) => wanted && setComings(rows.flatMap(comingOf)),
      // The history of the document is whole without them.
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [store, workspaceId]);
  return comings;
}
