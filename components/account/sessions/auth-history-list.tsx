"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { LocalTime } from "@/components/ui/time/local-time";
import type { AuthEntry } from "./auth-history";
import styles from "../account-page.module.css";

const shownAtFirst = 12;

/** Lists the sign-in history. Token renewals happen every few minutes and are shown on demand. */
export function AuthHistoryList({ entries }: { entries: AuthEntry[] }) {
  const [all, setAll] = useState(false);
  const listed = entries.filter((entry) => !entry.routine);
  const shown = all ? entries : listed.slice(0, shownAtFirst);
  return (
    <>
      {shown.length === 0 && <p className={styles.empty}>Nothing yet.</p>}
      <ol className={styles.history} aria-label="Sign-in history">
        {shown.map((entry) => (
          <li key={entry.id}>
            <span>{entry.words}</span>
            <span className={styles.when}>
              <LocalTime iso={entry.recordedAt} />
            </span>
          </li>
        ))}
      </ol>
      {entries.length > shown.length && (
        <Button look="quiet" onClick={() => setAll(true)}>
          {entries.length > listed.length
            ? `Show all ${entries.length}, renewals too`
            : `Show all ${entries.length}`}
        </Button>
      )}
    </>
  );
}
