"use client";

import { dayOf } from "@/components/ui/time/day-words";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { seesEverything } from "@/machines/history-visibility";
import type { SearchAddress } from "./search-address";
import styles from "./search.module.css";

/** Shows the scope of the search if it covers more than the current text. */
export function ScopeHint({ address: { scope, at } }: { address: SearchAddress }) {
  const { role, history, clock } = useWorkspace("role", "history", "clock");
  if (at !== null)
    return (
      <span className={styles.hint}>
        In the text as it stood at the end of{" "}
        {dayOf(`${at}T12:00:00Z`, { now: clock.now, zone: "UTC" })}.
      </span>
    );
  if (scope === "now") return null;
  return (
    <span className={styles.hint}>
      {role !== null && seesEverything(role, history)
        ? "Finds passages that were deleted, too."
        : "Finds what stands in named versions, too."}
    </span>
  );
}
