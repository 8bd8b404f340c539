"use client";

import { Button } from "@/components/ui/button";
import { useLongList } from "@/components/ui/screen/long-list";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import page from "@/components/frame/page-heading.module.css";
import { OpenInvitations } from "@/components/workspace/invitations/open-invitations";
import type { FileRoom } from "@/events/read-models/file-room";
import { FileUsage } from "./file-usage";
import { HistoryVisibilities } from "./history-visibility";
import { MemberRow } from "./member-row";
import { WorkspaceExport } from "./workspace-export";
import styles from "./members-page.module.css";

type Props = {
  /** The used file storage, or null for a former member. */
  room: FileRoom | null;
};

/** Shows the members page: members and roles, invitations, file storage, and the export. */
export function MembersPage({ room }: Props) {
  const { members, online, rest } = useWorkspace("members", "online", "rest");
  const { shown, showMore, list } = useLongList(members, { all: rest?.members });
  const here = new Set(online.map(({ userId }) => userId));
  return (
    <div className={page.wide}>
      <h1 className={page.heading}>Members</h1>
      <p className={page.lead}>Members can open every document of this workspace.</p>
      <div className={styles.columns} aria-hidden>
        <span>Name</span>
        <span>Email</span>
        <span>Role</span>
        <span>History</span>
        <span>Joined</span>
      </div>
      <ul ref={list} className={styles.list} aria-label="Members">
        {shown.map((member) => (
          <MemberRow key={member.userId} member={member} here={here.has(member.userId)} />
        ))}
      </ul>
      {showMore && (
        <Button look="edge" aria-label="Show more members" onClick={showMore}>
          Show more
        </Button>
      )}
      <div className={styles.halves}>
        <OpenInvitations />
        <HistoryVisibilities />
        <div>
          {room && <FileUsage room={room} />}
          <WorkspaceExport />
        </div>
      </div>
    </div>
  );
}
