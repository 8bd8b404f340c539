import { StoreFault } from "@/events/log/store";
import { BudgetSpent } from "@/app/_server/workers/task";

/**
 * Returns why a person's words in a document cannot be read, or null for a transient fault worth
 * retrying. One unreadable document must not hold back the others.
 */
export function whyUnread(fault: unknown): string | null {
  if (fault instanceof BudgetSpent) return "This document is too large to be read as a whole.";
  if (fault instanceof StoreFault) return null;
  return "This document could not be read. That is a fault of ours, and was reported.";
}
