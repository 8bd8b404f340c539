import type { Role } from "./member";

/** How much of the documents' past a role can see: named versions alone, or every keystroke. */
export const historyVisibilities = ["versions", "everything"] as const;
export type HistoryVisibility = (typeof historyVisibilities)[number];

/** The history visibility by role. Editors and owners see everything. */
export type RestrictedHistory = { viewer: HistoryVisibility; commenter: HistoryVisibility };

/**
 * Whether a role reads the documents' logs. Other roles read only named versions and the present.
 * The database applies the same rule.
 */
export function seesEverything(role: Role, history: RestrictedHistory): boolean {
  return role === "viewer" || role === "commenter" ? history[role] === "everything" : true;
}
