import * as z from "zod/mini";
import type { BodiesOf } from "@/events/core/event-types";
import { defineAggregate, lifecycle } from "@/events/log/aggregate";
import type { Folded } from "@/events/log/aggregate";
import { writtenId } from "@/events/core/ids/written-id";

/** The roles, strongest first. Each role has all rights of the roles after it. */
export const roles = ["owner", "editor", "commenter", "viewer"] as const;
export type Role = (typeof roles)[number];

const role = z.enum(roles);

/**
 * The palette indexes in the order in which a workspace assigns them. Neighbours are as far apart
 * as possible for colour-blind readers.
 */
export const givenColors = [8, 0, 5, 6, 3, 9, 10, 1, 11, 7, 2, 4] as const;

// Members who joined before colours were recorded get a colour by the last byte of their id. SQL
// applies the same rule.
const unrecordedColor = (userId: string) =>
  givenColors[parseInt(userId.slice(-2), 16) % givenColors.length] ?? givenColors[0];

const schemas = {
  "member.joined": z.strictObject({
    role,
    invitationId: writtenId,
    color: z.nullable(z.int().check(z.minimum(0), z.maximum(11))),
  }),
  "member.role_changed": z.strictObject({ role }),
  "member.removed": z.strictObject({}),
  "member.left": z.strictObject({}),
};

const joins = { "member.joined": { target: "active", meta: { right: "invited" } } } as const;

declare module "@/events/core/event-types" {
  interface WorkspaceBodies extends BodiesOf<typeof schemas> {}
}

const machine = lifecycle(schemas).createMachine({
  id: "member",
  initial: "absent",
  states: {
    absent: { on: joins },
    active: {
      on: {
        "member.role_changed": { target: "active", meta: { right: "owner" } },
        "member.removed": { target: "removed", meta: { right: "owner" } },
        "member.left": { target: "left", meta: { right: "self" } },
      },
    },
    removed: { on: joins },
    left: { on: joins },
  },
});

/**
 * `color` is the palette index that the workspace assigned. It applies until the person chooses
 * another colour.
 */
export type Member = { role: Role; joinedAt: string; color: number };

/**
 * A person's membership in a workspace. The subject's id is the user's id. The event that creates a
 * workspace makes its actor the first owner.
 */
export const member = defineAggregate({
  kind: "member",
  streamKind: "workspace",
  schemas,
  hosts: [],
  updates: [],
  machine,
  initial: (): Member => ({ role: "viewer", joinedAt: "", color: givenColors[0] }),
  reducers: {
    "member.joined": (draft, body, metadata) => {
      draft.role = body.role;
      draft.joinedAt = metadata.recordedAt;
      draft.color = body.color ?? unrecordedColor(metadata.subject.id);
    },
    "member.role_changed": (draft, body) => {
      draft.role = body.role;
    },
    "member.removed": () => {},
    "member.left": () => {},
  },
  firstMember: {
    event: "workspace.created",
    phase: "active",
    subjectId: (metadata) => metadata.actorId,
    state: (metadata): Member => ({
      role: "owner",
      joinedAt: metadata.recordedAt,
      color: givenColors[0],
    }),
  },
});

/** Whether a role has all rights of another role. */
export function atLeast(role: Role, needed: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(needed);
}

/**
 * Whether a workspace keeps an owner if this member leaves, is removed, or gets `nextRole`. It is
 * the only rule of the law (transition table) that counts subjects. The database applies the same
 * rule.
 */
export function keepsAnOwner(
  members: readonly { id: string; folded: Folded<Member> }[],
  userId: string,
  nextRole: Role | null,
): boolean {
  if (nextRole === "owner") return true;
  const owners = members.filter(
    ({ folded }) => folded.phase === "active" && folded.state.role === "owner",
  );
  return owners.some(({ id }) => id !== userId) || !owners.some(({ id }) => id === userId);
}
