"use client";

import type { IdentifiedEntry } from "./outline";
import styles from "./outline.module.css";

type Props = {
  entries: readonly IdentifiedEntry[];
  /** The id of the entry of the current section. */
  current: number | null;
  onGo: (at: number) => void;
};

/** The headings of a text as a list of links. */
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
