import type { Role } from "./member";

/** How much of the past of its documents somebody sees: named versions alone, or every keystroke. */
export const historyGrades = ["versions", "everything"] as const;
export type HistoryGrade = (typeof historyGrades)[number];

/** By role; whoever writes sees everything. */
export type GradedHistory = { viewer: HistoryGrade; commenter: HistoryGrade };

/** Whether a role reads the log of its documents, or named versions and the present alone; the database says the same. */
export function seesEverything(role: Role, history: GradedHistory): boolean {
  return role === "viewer" || role === "commenter" ? history[role] === "everything" : true;
}
