"use client";

import { Ellipsis, LogOut, UserMinus } from "lucide-react";
import { useRef, useState } from "react";
import { useAnnounce } from "@/components/ui/announcer";
import { dayOf } from "@/components/ui/day-words";
import { Avatar } from "@/components/ui/avatar";
import { Button, buttonClass } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Icon } from "@/components/ui/icon";
import { isolated } from "@/events/core/isolated";
import { Menu, MenuItem } from "@/components/ui/menu";
import { useWorkspace, type MemberView } from "@/components/workspace-state/workspace-context";
import { RoleSelect } from "@/components/sharing/role-select";
import styles from "./members-page.module.css";

/** One member: who they are, what they may do, and for owners the way to change that or to part. */
export function MemberRow({ member }: { member: MemberView }) {
  const { me, clock, act, may, keepsAnOwner, name } = useWorkspace(
    "me",
    "clock",
    "act",
    "may",
    "keepsAnOwner",
    "name",
  );
  const announce = useAnnounce();
  const [asking, setAsking] = useState(false);
  const chosen = useRef(false);
  const subject = { kind: "member", id: member.userId };
  const own = member.userId === me.userId;
  const stays = keepsAnOwner(member.userId, null);
  const leaves = own && may("member.left", subject);
  const removes = !own && may("member.removed", subject);
  const leaveOrRemove = async () => {
    setAsking(false);
    const { ok } = await act(own ? "member.left" : "member.removed", {}, subject);
    if (ok && !own) announce(`${isolated(member.name)} was removed`);
  };
  const trigger = (
    <button
      type="button"
      aria-label={`Actions for ${member.name}`}
      className={buttonClass({ look: "quiet", icon: true })}
    >
      <Icon of={Ellipsis} />
    </button>
  );
  return (
    <li>
      <Avatar name={member.name} color={member.color} size="large" />
      <span className={styles.words}>
        <b>{member.name}</b> {own && <span className={styles.you}>you</span>}
        {member.email && <small>{member.email}</small>}
      </span>
      <span className={styles.since}>since {dayOf(member.joinedAt, clock)}</span>
      <RoleSelect member={member} />
      {leaves || removes ? (
        <Menu
          trigger={trigger}
          align="end"
          onClosed={() => {
            if (chosen.current) setAsking(true);
            chosen.current = false;
          }}
        >
          <MenuItem
            icon={own ? LogOut : UserMinus}
            danger
            disabled={!stays}
            detail={stays ? undefined : "Make somebody else an owner first"}
            onSelect={() => (chosen.current = true)}
          >
            {own ? "Leave workspace" : "Remove from workspace"}
          </MenuItem>
        </Menu>
      ) : (
        <span className={styles.space} />
      )}
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={own ? `Leave ${isolated(name)}?` : `Remove ${isolated(member.name)}?`}
        description={
          own
            ? "You will no longer be able to read it. What you wrote stays, under your name. To " +
              "come back you need an invitation."
            : `They lose access at once, also where they have it open. What they wrote stays, under their name.`
        }
      >
        <DialogActions>
          <Button look="edge" autoFocus onClick={() => setAsking(false)}>
            Cancel
          </Button>
          <Button look="danger" onClick={() => void leaveOrRemove()}>
            {own ? "Leave" : "Remove"}
          </Button>
        </DialogActions>
      </Dialog>
    </li>
  );
}
