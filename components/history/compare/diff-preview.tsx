"use client";

import { Fragment, useMemo } from "react";
import { stillRows, type Comparison } from "@/events/analysis/comparison/comparison";
import text from "@/components/editor/text.module.css";
import { classNames } from "@/components/ui/class-names";
import { Skeleton } from "@/components/ui/skeleton";
import { changedRows, itemNumbers, openedRows } from "./changed-rows";
import { DiffText } from "./diff-text";
import { type ComparisonAuthors } from "@/components/history/authors/authors";
import { roleOf } from "@/events/analysis/comparison/node-roles";
import styles from "./diff.module.css";

type Props = {
  /** Null while it is sought. */
  comparison: Comparison | null;
  authors: ComparisonAuthors;
};

/** What will change, before it does: the blocks concerned and their neighbours, in a box that scrolls. */
export function DiffPreview({
  comparison,
  authors: {
    source: { authorOf },
    personAt,
    namesOf,
  },
}: Props) {
  const rows = useMemo(
    () =>
      comparison &&
      openedRows(comparison.rows, (block) =>
        stillRows(block, { at: comparison.to, authorOf, roleOf }),
      ),
    [comparison, authorOf],
  );
  if (!comparison || !rows)
    return <Skeleton lines={4} label="Comparing what stands with what will stand" />;
  const numbers = itemNumbers(rows);
  return (
    <div
      className={classNames(text.text, styles.diff, styles.preview)}
      role="region"
      aria-label="What will change"
      tabIndex={0}
      data-readonly
    >
      {changedRows(rows).map((stretch, index) => (
        <Fragment key={index}>
          {index > 0 && <p className={styles.between}>…</p>}
          <DiffText
            rows={stretch}
            changes={comparison.changes}
            personAt={personAt}
            authorNames={namesOf}
            numbers={numbers}
          />
        </Fragment>
      ))}
    </div>
  );
}
