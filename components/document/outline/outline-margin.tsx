"use client";

import type { Editor } from "@tiptap/core";
import { goToHeading } from "./go-to-heading";
import { OutlineList } from "./outline-list";
import { useCurrentSection, useOutline } from "./use-outline";
import styles from "./outline.module.css";

/** The smallest number of headings for which an outline is shown. */
const fewest = 2;

/** Shows the outline in the margin, if there is room and no comments are shown. */
export function OutlineMargin({ editor }: { editor: Editor }) {
  const { entries, counts } = useOutline(editor);
  const current = useCurrentSection(editor, entries);
  if (entries.length < fewest) return null;
  return (
    <nav className={styles.margin} aria-label="Outline" data-outline>
      <h2 className={styles.heading}>Outline</h2>
      <OutlineList entries={entries} current={current} onGo={(at) => goToHeading(editor, at)} />
      <p className={styles.count}>{counts}</p>
    </nav>
  );
}
