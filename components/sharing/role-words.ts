import type { Role } from "@/machines/member";

/** What a role lets somebody do, as people say it. */
export const roleWords = {
  owner: { label: "owner", detail: "Everything, and manage members" },
  editor: { label: "can edit", detail: "Write, restore, name versions" },
  commenter: { label: "can comment", detail: "Read and comment" },
  viewer: { label: "can read", detail: "See text and history" },
} satisfies Record<Role, { label: string; detail: string }>;

/** What a role lets somebody do, where it stands alone, as in a table. */
export function roleLabel(role: Role): string {
  const { label } = roleWords[role];
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** The roles to choose from, weakest first; a role that is not offered any more is listed only for who has it. */
export function roleOptions(present: Role | null, offered: readonly Role[]) {
  const listed = present && !offered.includes(present) ? [...offered, present] : offered;
  return listed.map((value) => ({ value, ...roleWords[value] }));
}

/** Whether a role has the rights of another; the words above are in the order of the law, strongest first. */
export function atLeast(role: Role, needed: Role): boolean {
  const order = Object.keys(roleWords);
  return order.indexOf(role) <= order.indexOf(needed);
}
