"use client";

import { useMemo, useRef } from "react";
import { stillRows } from "@/events/analysis/comparison/comparison";
import type { Comparison } from "@/events/analysis/comparison/comparison";
import text from "@/components/editor/text.module.css";
import { classNames } from "@/components/ui/class-names";
import { Skeleton } from "@/components/ui/skeleton";
import { changedRows, itemNumbers, openedRows } from "./changed-rows";
import { chunksOfStretches } from "./diff-chunks";
import { DiffText } from "./diff-text";
import { judgedHeight, useNearChunks } from "./near-chunks";
import type { ComparisonAuthors } from "@/components/history/authors/authors";
import { roleOf } from "@/events/analysis/comparison/node-roles";
import styles from "./diff.module.css";

type Props = {
  /** The comparison, or null while it is computed. */
  comparison: Comparison | null;
  authors: ComparisonAuthors;
};

const itself = (box: HTMLElement) => box;

/**
 * Previews a change: the affected blocks and their neighbours in a scroll box. Only the rows near
 * the viewport are rendered.
 */
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
  const chunks = useMemo(() => (rows ? chunksOfStretches(changedRows(rows)) : []), [rows]);
  const root = useRef<HTMLDivElement>(null);
  const near = useNearChunks(root, chunks, itself);
  if (!comparison || !rows)
    return <Skeleton lines={4} label="Comparing the text now with the text after this" />;
  const numbers = itemNumbers(rows);
  return (
    <div
      ref={root}
      className={classNames(text.text, styles.diff, styles.preview)}
      role="region"
      aria-label="What will change"
      tabIndex={0}
      data-readonly
    >
      {chunks.map(({ key, rows: own, begins }, index) => {
        const last = near.get(key);
        const isShown = index === 0 || last === null;
        return (
          <div
            key={key}
            className={styles.chunk}
            data-chunk={key}
            style={isShown ? undefined : { blockSize: last ?? judgedHeight(own, comparison.to) }}
          >
            {index > 0 && begins && <p className={styles.between}>…</p>}
            {isShown && (
              <DiffText
                rows={own}
                changes={comparison.changes}
                personAt={personAt}
                authorNames={namesOf}
                numbers={numbers}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}
