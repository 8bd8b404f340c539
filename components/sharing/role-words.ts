import type { Role } from "@/machines/member";

/** The rights of each role in everyday words, strongest role first. */
export const roleWords = {
  owner: { label: "owner", detail: "Everything, and manage members" },
  editor: { label: "can edit", detail: "Write, restore, name versions" },
  commenter: { label: "can comment", detail: "Read and comment" },
  viewer: { label: "can read", detail: "See text and history" },
} satisfies Record<Role, { label: string; detail: string }>;

/** Returns the label of a role with a capital letter, as in a table. */
export function roleLabel(role: Role): string {
  const { label } = roleWords[role];
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/**
 * Returns the roles to choose from, in the order of `offered`. A role that is no longer offered is
 * added only for a member who has that role.
 */
export function roleOptions(present: Role | null, offered: readonly Role[]) {
  const listed = present && !offered.includes(present) ? [...offered, present] : offered;
  return listed.map((value) => ({ value, ...roleWords[value] }));
}

/**
 * Whether a role includes the rights of another role. `roleWords` has the order of the law,
 * strongest role first.
 */
export function atLeast(role: Role, needed: Role): boolean {
  const order = Object.keys(roleWords);
  return order.indexOf(role) <= order.indexOf(needed);
}
