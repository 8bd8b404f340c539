import type { Role } from "./member";

/** How much of the past of its documents somebody sees: named versions alone, or every keystroke. */
export const historyVisibilities = ["versions", "everything"] as const;
export type HistoryVisibility = (typeof historyVisibilities)[number];

/** By role; whoever writes sees everything. */
export type RestrictedHistory = { viewer: HistoryVisibility; commenter: HistoryVisibility };

/**
 * Whether a role reads the log of its documents, or named versions and the present alone; the
 * database says the same.
 */
export function seesEverything(role: Role, history: RestrictedHistory): boolean {
  return role === "viewer" || role === "commenter" ? history[role] === "everything" : true;
}
