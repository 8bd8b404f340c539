"use client";

import { useWorkspace } from "@/components/workspace-state/workspace-context";
import page from "@/components/frame/page-heading.module.css";
import { OpenInvitations } from "@/components/workspace/invitations/open-invitations";
import { HistoryVisibilities } from "./history-visibility";
import { MemberRow } from "./member-row";
import styles from "./members-page.module.css";

/** Who belongs to the workspace, what each may do, and who is invited. */
export function MembersPage() {
  const { members, name, history } = useWorkspace("members", "name", "history");
  const open = history.viewer === "everything" && history.commenter === "everything";
  return (
    <div className={page.narrow}>
      <h1 className={page.heading}>Members</h1>
      <p className={page.lead}>
        Everybody here can read every document of {name}
        {open ? " and play its whole history" : ""}.
      </p>
      <ul className={styles.list} aria-label="Members">
        {members.map((member) => (
          <MemberRow key={member.userId} member={member} />
        ))}
      </ul>
      <OpenInvitations />
      <HistoryVisibilities />
    </div>
  );
}
