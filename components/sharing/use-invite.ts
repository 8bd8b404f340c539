"use client";

import type { BodyOf } from "@/events/core/event-types";
import { useCallback } from "react";
import { systemRandom } from "@/events/core/clock";
import type { Role } from "@/machines/member";
import { useTab } from "@/components/session/backend-provider";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { invitationAddress, newToken } from "@/events/core/ids/invitation-token";

export type InvitedRole = Exclude<Role, "owner">;
type Sent = "sent" | "refused" | "not-mailed";

const week = 7 * 24 * 60 * 60 * 1000;

/** Returns the two ways to invite: by email to one address, or by a link. Owners only. */
export function useInvite() {
  const { id, act } = useWorkspace("id", "act");
  const { open } = useTab();

  const byEmail = useCallback(
    async (email: string, role: InvitedRole): Promise<{ result: Sent; address: string }> => {
      const { token, tokenHash } = await newToken();
      const invitation = systemRandom.uuid();
      const address = invitationAddress(location.origin, invitation, token);
      const body: BodyOf<"invitation.created"> = {
        kind: "email",
        email: email.trim().toLowerCase(),
        role,
        expiresAt: Date.now() + 2 * week,
        tokenHash,
      };
      const outcome = await act("invitation.created", body, { kind: "invitation", id: invitation });
      if (!outcome.ok) return { result: "refused", address };
      const { backend } = await open();
      const mailed = await backend.call("invite", { workspace: id, invitation, token });
      return { result: mailed ? "sent" : "not-mailed", address };
    },
    [act, open, id],
  );

  const byLink = useCallback(
    async (role: InvitedRole, lifetime: number | null): Promise<string | null> => {
      const { token, tokenHash } = await newToken();
      const invitation = systemRandom.uuid();
      const body: BodyOf<"invitation.created"> = {
        kind: "link",
        email: null,
        role,
        expiresAt: lifetime === null ? null : Date.now() + lifetime,
        tokenHash,
      };
      const outcome = await act("invitation.created", body, { kind: "invitation", id: invitation });
      return outcome.ok ? invitationAddress(location.origin, invitation, token) : null;
    },
    [act],
  );

  return { byEmail, byLink };
}
