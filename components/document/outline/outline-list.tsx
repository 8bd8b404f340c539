"use client";

import type { IdentifiedEntry } from "./outline";
import styles from "./outline.module.css";

type Props = {
  entries: readonly IdentifiedEntry[];
  /** The id of the current section's entry, or null above the first. */
  current: number | null;
  onGo: (at: number) => void;
};

/** Lists the headings of a text as links. */
export function OutlineList({ entries, current, onGo }: Props) {
  return (
    <ul className={styles.list}>
      {entries.map(({ id, at, level, words }) => (
        <li key={id}>
          <button
            type="button"
            className={styles.entry}
            data-level={level}
            aria-current={id === current ? "location" : undefined}
            onClick={() => onGo(at)}
          >
            {words}
          </button>
        </li>
      ))}
    </ul>
  );
}
