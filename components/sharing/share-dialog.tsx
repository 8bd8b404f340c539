"use client";

import { History, Link2 } from "lucide-react";
import { useState } from "react";
import { Avatar } from "@/components/ui/pictures/avatar";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Icon } from "@/components/ui/icon";
import { useLongList } from "@/components/ui/screen/long-list";
import { useAnnounce } from "@/components/ui/screen/announcer";
import { roleWords } from "./role-words";
import { RoleSelect } from "./role-select";
import { copyText, uncopied } from "@/components/ui/clipboard/clipboard";
import { dayOf } from "@/components/ui/time/day-words";
import { isolated } from "@/events/core/text/isolated";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { InviteForm } from "./invite-form";
import { LinkForm } from "./link-form";
import styles from "./share-dialog.module.css";

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The title of the open document, or null on a page of the workspace. */
  document: string | null;
};

/** Lists the people with access, and offers the two ways to invite: by email or by link. */
export function ShareDialog({ open, onOpenChange, document: title }: Props) {
  const { name, me, members, createdAt, clock, may, rest } = useWorkspace(
    "name",
    "me",
    "members",
    "createdAt",
    "clock",
    "may",
    "rest",
  );
  const { shown, showMore, list } = useLongList(members, { all: rest?.members });
  const announce = useAnnounce();
  const [link, setLink] = useState<string | null>(null);
  const [copied, setCopied] = useState(false);
  const invites = may("invitation.created", { kind: "invitation", id: "new" });
  const copy = async () => {
    const done = await copyText(`${location.origin}${location.pathname}`);
    setCopied(done);
    announce(done ? "Link copied" : uncopied);
  };
  const here = title === null ? "this page" : "this document";
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Share the workspace “${isolated(name)}”`}
      description={
        title === null
          ? "People you invite get access to every document in this workspace."
          : "People you invite get access to every document in this workspace, not " +
            `only to “${isolated(title)}”. A single document can’t be shared yet.`
      }
    >
      {invites ? (
        <InviteForm />
      ) : (
        <p className={styles.help}>Only an owner of this workspace can invite people.</p>
      )}
      <p className={styles.tell}>
        <Icon of={History} size={14} />
        New people can play the whole history, from {dayOf(createdAt, clock)}.
      </p>
      <ul ref={list} className={styles.people} aria-label="People with access">
        {shown.map((member) => (
          <li key={member.userId}>
            <Avatar name={member.name} color={member.color} picture={member.picture} size="large" />
            <span className={styles.words}>
              <b>{member.name}</b>{" "}
              {member.userId === me.userId && <span className={styles.hint}>you</span>}
              {member.email && <small>{member.email}</small>}
            </span>
            {member.userId === me.userId ? (
              <span className={styles.role}>{roleWords[member.role].label}</span>
            ) : (
              <RoleSelect member={member} />
            )}
          </li>
        ))}
      </ul>
      {showMore && (
        <Button look="edge" aria-label="Show more people" onClick={showMore}>
          Show more
        </Button>
      )}
      {invites && <LinkForm onLink={setLink} link={link} />}
      <div className={styles.foot}>
        <div className={styles.copy}>
          <Button look="quiet" onClick={() => void copy()}>
            <Icon of={Link2} />
            {copied ? "Copied" : `Copy link to ${here}`}
          </Button>
          <small>Works for people who have access.</small>
        </div>
        <Button look="edge" onClick={() => onOpenChange(false)}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
