"use client";

import type { OutlineEntry } from "./outline";
import styles from "./outline.module.css";

type Props = {
  entries: readonly OutlineEntry[];
  current: number | null;
  onGo: (at: number) => void;
};

/** The headings of a text as a list of places in it. */
export function OutlineList({ entries, current, onGo }: Props) {
  return (
    <ul className={styles.list}>
      {entries.map(({ at, level, words }) => (
        <li key={at}>
          <button
            type="button"
            className={styles.entry}
            data-level={level}
            aria-current={at === current ? "location" : undefined}
            onClick={() => onGo(at)}
          >
            {words}
          </button>
        </li>
      ))}
    </ul>
  );
}
