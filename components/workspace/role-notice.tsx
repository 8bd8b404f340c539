"use client";

import { Eye } from "lucide-react";
import { useEffect, useState } from "react";
import { atLeast } from "@/components/sharing/role-words";
import { Banner } from "@/components/ui/banner";
import { useToast } from "@/components/ui/toast";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import styles from "./role-notice.module.css";

/** Reports a change of the reader's role while the page is open, with the new rights. */
export function RoleNotice() {
  const { role } = useWorkspace("role");
  const toast = useToast();
  const [before, setBefore] = useState(role);
  const [lowered, setLowered] = useState(false);
  if (role !== before) {
    setBefore(role);
    setLowered(role !== null && before !== null && !atLeast(role, before));
  }
  useEffect(() => {
    if (before && role && before !== role && atLeast(role, before))
      toast({ text: `You are now ${role} here.` });
  }, [before, role, toast]);
  if (!lowered) return null;
  const words =
    role === "editor"
      ? "You are no longer an owner. You can still write here."
      : role === "commenter"
        ? "You can read and comment in this workspace, but no longer edit it."
        : "You can read this workspace but no longer edit it.";
  return (
    <div className={styles.notice}>
      <Banner icon={Eye}>{words}</Banner>
    </div>
  );
}
