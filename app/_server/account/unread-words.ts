import { StoreFault } from "@/events/log/store";
import { BudgetSpent } from "@/app/_server/workers/task";

/**
 * Why somebody's words in a document cannot be read, however often that is tried; null for a fault
 * that another attempt may not meet. One such document must not keep all the others back.
 */
export function whyUnread(fault: unknown): string | null {
  if (fault instanceof BudgetSpent) return "This document is too large to be read as a whole.";
  if (fault instanceof StoreFault) return null;
  return "This document could not be read. That is a fault of ours, and was reported.";
}
