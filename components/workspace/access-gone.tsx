"use client";

import { useEffect, useState } from "react";
import type { Departure } from "@/events/read-models/member-rows";
import { useBackend } from "@/components/session/backend-provider";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { NoticePage } from "@/components/ui/screen/notice-page";
import { useWorkspace } from "@/components/workspace-state/workspace-context";

/** Replaces a workspace once the reader is no longer a member. Shows only the reason. */
export function AccessGone() {
  const { id } = useWorkspace("id");
  const backend = useBackend();
  const [departure, setDeparture] = useState<Departure | null>(null);
  useEffect(() => {
    if (!backend) return;
    let isCurrent = true;
    void import("@/events/read-models/member-rows")
      .then(({ readDeparture }) => readDeparture(backend.rows, id))
      .then(
        (read) => isCurrent && setDeparture(read),
        // The name of the person who removed the reader is optional. Without the name, the page
        // still says what happened.
        () => undefined,
      );
    return () => {
      isCurrent = false;
    };
  }, [backend, id]);
  const left = departure?.phase === "left";
  const title = left
    ? "You left this workspace"
    : departure?.by
      ? `${departure.by} removed your access`
      : "You no longer have access";
  return (
    <NoticePage
      title={title}
      actions={
        <Link className={buttonClass({ look: "primary" })} href="/">
          Go to your workspaces
        </Link>
      }
    >
      {left
        ? "What you wrote stays in its history. To come back, ask an owner for an invitation."
        : "You can no longer read this workspace. What you wrote stays in its history. To come " +
          "back, ask an owner for an invitation."}
    </NoticePage>
  );
}
