import { expect, it } from "vitest";
import { StoreFault } from "@/events/log/store";
import { BudgetSpent, Unanswered } from "@/app/_server/workers/task";
import { whyUnread } from "./unread-words";

it("[ACC-32] explains why a document cannot be read, except for passing faults", () => {
  expect(whyUnread(new BudgetSpent("ownWords", 7))).toContain("too large");
  expect(whyUnread(new RangeError("Invalid time value"))).toContain("could not be read");
  const passing = [
    new StoreFault("no answer", 0),
    new StoreFault("JWT expired", 401),
    new Unanswered("late", 503),
  ];
  for (const fault of passing) expect(whyUnread(fault)).toBeNull();
});
