"use client";

import { Link2, Mail } from "lucide-react";
import { useAnnounce } from "@/components/ui/screen/announcer";
import { untilOf } from "@/components/ui/time/day-words";
import { roleLabel } from "@/components/sharing/role-words";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { useLongList } from "@/components/ui/screen/long-list";
import type { Clock } from "@/components/ui/time/use-clock";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import type { InvitationView } from "@/components/workspace-state/workspace-context";
import styles from "./open-invitations.module.css";

/** Lists the open invitations, each with a button that revokes it. */
export function OpenInvitations() {
  const { invitations, clock, act, may, rest } = useWorkspace(
    "invitations",
    "clock",
    "act",
    "may",
    "rest",
  );
  const announce = useAnnounce();
  const open = invitations.filter(({ expiresAt }) => expiresAt === null || expiresAt > clock.now);
  const all = rest?.invitations ?? open.length;
  const { shown, showMore, list } = useLongList(open, { all });
  if (open.length === 0) return null;
  const revoke = async (invitation: InvitationView) => {
    const { ok } = await act("invitation.revoked", {}, { kind: "invitation", id: invitation.id });
    if (ok) announce("The invitation was revoked");
  };
  return (
    <section className={styles.section}>
      <h2 id="open-invitations">
        Invited <span>{all}</span>
      </h2>
      <ul ref={list} className={styles.list} aria-labelledby="open-invitations">
        {shown.map((invitation) => (
          <li key={invitation.id}>
            <span className={styles.icon}>
              <Icon of={invitation.kind === "link" ? Link2 : Mail} />
            </span>
            <span className={styles.words}>
              <b>{invitation.email ?? "Anyone with the link"}</b>
              <small>
                {roleLabel(invitation.role)}. {ends(invitation, clock)}
              </small>
            </span>
            {may("invitation.revoked", { kind: "invitation", id: invitation.id }) && (
              <Button
                look="quiet"
                aria-label={`Revoke the invitation for ${invitation.email ?? "anyone with the link"}`}
                onClick={() => void revoke(invitation)}
              >
                Revoke
              </Button>
            )}
          </li>
        ))}
      </ul>
      {showMore && (
        <Button look="edge" aria-label="Show more invitations" onClick={showMore}>
          Show more
        </Button>
      )}
    </section>
  );
}

function ends({ expiresAt }: InvitationView, clock: Clock): string {
  return expiresAt === null ? "Works until revoked" : `Expires ${untilOf(expiresAt, clock)}`;
}
