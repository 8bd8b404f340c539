import type { Role } from "@/machines/member";

/** The rights of a role in everyday words. */
export const roleWords = {
  owner: { label: "owner", detail: "Everything, and manage members" },
  editor: { label: "can edit", detail: "Write, restore, name versions" },
  commenter: { label: "can comment", detail: "Read and comment" },
  viewer: { label: "can read", detail: "See text and history" },
} satisfies Record<Role, { label: string; detail: string }>;

/** The label of a role on its own, as in a table. */
export function roleLabel(role: Role): string {
  const { label } = roleWords[role];
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/**
 * The roles to choose from, weakest first; a role no longer offered is listed only for a member who
 * has it.
 */
export function roleOptions(present: Role | null, offered: readonly Role[]) {
  const listed = present && !offered.includes(present) ? [...offered, present] : offered;
  return listed.map((value) => ({ value, ...roleWords[value] }));
}

/**
 * Whether a role includes the rights of another; `roleWords` is in the order of the law, strongest
 * first.
 */
export function atLeast(role: Role, needed: Role): boolean {
  const order = Object.keys(roleWords);
  return order.indexOf(role) <= order.indexOf(needed);
}
