"use client";

import type { ReactNode } from "react";
import { Segmented } from "@/components/ui/forms/segmented";
import styles from "./threads.module.css";

export type Shown = "open" | "resolved";
type Listed = { id: string; note: ReactNode };

type Props = {
  shown: Shown;
  counts: Record<Shown, number>;
  onShown: (shown: Shown) => void;
  /** The threads in document order. A new thread may come first. */
  listed: readonly Listed[];
  /** The tops of the notes in a margin, by thread id, or null if the notes are stacked. */
  tops: ReadonlyMap<string, number> | null;
  hint: string;
};

/** Lists the open or the resolved threads of a document. */
export function ThreadList({ shown, counts, onShown, listed, tops, hint }: Props) {
  const some = counts.open + counts.resolved > 0;
  return (
    <>
      {some && (
        <div className={styles.head}>
          <Segmented
            label="Which comments"
            value={shown}
            onChange={onShown}
            options={[
              { value: "open", label: `Open ${counts.open}` },
              { value: "resolved", label: `Resolved ${counts.resolved}` },
            ]}
          />
        </div>
      )}
      {listed.length === 0 && (
        <p className={styles.hint}>
          {some ? (shown === "open" ? "No open comments" : "No resolved comments") : hint}
        </p>
      )}
      <ol className={styles.notes} aria-label="Threads">
        {listed.map(({ id, note }) => {
          const top = tops?.get(id);
          return (
            <li
              key={id}
              data-note={id}
              data-placed={tops && top === undefined ? "no" : undefined}
              style={tops ? { insetBlockStart: top ?? 0 } : undefined}
            >
              {note}
            </li>
          );
        })}
      </ol>
    </>
  );
}
