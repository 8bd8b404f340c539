import * as z from "zod/mini";
import type { BodiesOf } from "@/events/core/event-types";
import { defineAggregate, lifecycle } from "@/events/log/aggregate";

/**
 * Roles that an invitation can give. `owner` is given only by changing a member's role, because an
 * invitation can be forwarded.
 */
export const invitedRoles = ["editor", "commenter", "viewer"] as const;
export const invitationKinds = ["email", "link"] as const;

const schemas = {
  "invitation.created": z.strictObject({
    kind: z.enum(invitationKinds),
    /** The address in lower case, or null for a link. */
    email: z.nullable(z.string().check(z.minLength(3), z.maxLength(254))),
    role: z.enum(invitedRoles),
    /** Milliseconds since 1970, or null if the invitation never expires. */
    expiresAt: z.nullable(z.int().check(z.minimum(0), z.maximum(253402300799999))),
    /**
     * SHA-256 of the token's UTF-8 bytes in lower-case hex. The token itself is never in the log.
     */
    tokenHash: z.string().check(z.minLength(64), z.maxLength(64)),
  }),
  "invitation.accepted": z.strictObject({}),
  "invitation.declined": z.strictObject({}),
  "invitation.revoked": z.strictObject({}),
};

declare module "@/events/core/event-types" {
  interface WorkspaceBodies extends BodiesOf<typeof schemas> {}
}

const machine = lifecycle(schemas).createMachine({
  id: "invitation",
  initial: "absent",
  states: {
    absent: { on: { "invitation.created": { target: "open", meta: { right: "owner" } } } },
    open: {
      on: {
        "invitation.accepted": { target: "accepted", meta: { right: "invited" } },
        "invitation.declined": { target: "declined", meta: { right: "invited" } },
        "invitation.revoked": { target: "revoked", meta: { right: "owner" } },
      },
    },
    accepted: { type: "final" },
    declined: { type: "final" },
    revoked: { type: "final" },
  },
});

export type Invitation = {
  kind: (typeof invitationKinds)[number];
  email: string | null;
  role: (typeof invitedRoles)[number];
  expiresAt: number | null;
  createdBy: string;
};

export const invitation = defineAggregate({
  kind: "invitation",
  streamKind: "workspace",
  schemas,
  hosts: [],
  updates: [],
  redactable: { "invitation.created": ["email"] },
  machine,
  initial: (): Invitation => ({
    kind: "link",
    email: null,
    role: "viewer",
    expiresAt: null,
    createdBy: "",
  }),
  reducers: {
    "invitation.created": (draft, body, metadata) => {
      draft.kind = body.kind;
      draft.email = body.email;
      draft.role = body.role;
      draft.expiresAt = body.expiresAt;
      draft.createdBy = metadata.actorId;
    },
    "invitation.accepted": () => {},
    "invitation.declined": () => {},
    "invitation.revoked": () => {},
  },
});
