"use client";

import { Ellipsis, LogOut, UserMinus } from "lucide-react";
import { useRef, useState } from "react";
import { useAnnounce } from "@/components/ui/screen/announcer";
import { dayOf } from "@/components/ui/time/day-words";
import { Avatar } from "@/components/ui/pictures/avatar";
import { Button, buttonClass } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Icon } from "@/components/ui/icon";
import { isolated } from "@/events/core/text/isolated";
import { Menu, MenuItem } from "@/components/ui/menu";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import type { MemberView } from "@/components/workspace-state/workspace-context";
import { seesEverything } from "@/machines/history-visibility";
import { RoleSelect } from "@/components/sharing/role-select";
import styles from "./members-page.module.css";

/** Shows a member with their role. Owners can change the role or remove the member. */
export function MemberRow({ member, here }: { member: MemberView; here: boolean }) {
  const { me, clock, act, may, keepsAnOwner, name, history } = useWorkspace(
    "me",
    "clock",
    "act",
    "may",
    "keepsAnOwner",
    "name",
    "history",
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
    <li id={`member-${member.userId}`} tabIndex={-1}>
      <span className={styles.person}>
        <Avatar
          name={member.name}
          color={member.color}
          picture={member.picture}
          size="large"
          idle={!here && !own}
        />
        <b>{member.name}</b>
        {own && <span className={styles.you}>you</span>}
      </span>
      <span className={styles.email}>{member.email}</span>
      <span className={styles.role}>
        <RoleSelect member={member} />
      </span>
      <span className={styles.history}>
        {seesEverything(member.role, history) ? "Whole history" : "Named versions"}
      </span>
      <span className={styles.since}>
        <span className="sr">Joined </span>
        {dayOf(member.joinedAt, clock)}
      </span>
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
        <span />
      )}
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={own ? `Leave ${isolated(name)}?` : `Remove ${isolated(member.name)}?`}
        description={
          own
            ? "You will no longer be able to read it. What you wrote stays, under your name. To " +
              "come back you need an invitation."
            : `They lose access right away. What they wrote stays, under their name.`
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
