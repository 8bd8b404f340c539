"use client";

import { useMemo, useState } from "react";
import type { RefObject } from "react";
import type { Comparison } from "@/events/analysis/comparison/comparison";
import type { Timeline } from "@/events/history/timeline/timeline";
import text from "@/components/editor/text.module.css";
import { classNames } from "@/components/ui/class-names";
import { ChangeMinimap } from "./change-minimap";
import { DiffSides } from "./diff-columns";
import { chunksOf, placesOf } from "./diff-chunks";
import { DiffWindow } from "./diff-window";
import type { ComparisonAuthors } from "@/components/history/authors/authors";
import { revisionStamp } from "@/components/history/words/revision-choices";
import styles from "./compare.module.css";
import diff from "./diff.module.css";

type Props = {
  timeline: Timeline;
  comparison: Comparison;
  authors: ComparisonAuthors;
  columns: boolean;
  root: RefObject<HTMLDivElement | null>;
  /** The number of the current change, or null. */
  current: number | null;
  onGo: (change: number) => void;
};

/** Shows the compared text, inline or in two columns, with the minimap at the page's edge. */
export function DiffSheet({
  timeline,
  comparison,
  authors: { source, personAt, namesOf },
  columns,
  root,
  current,
  onGo,
}: Props) {
  const { rows, changes, from, to } = comparison;
  const [opened, setOpened] = useState<{ rows: unknown; keys: ReadonlySet<string> }>({
    rows,
    keys: new Set(),
  });
  // A new comparison starts folded.
  if (opened.rows !== rows) setOpened({ rows, keys: new Set() });
  const chunks = useMemo(() => chunksOf(rows, opened.keys), [rows, opened.keys]);
  const places = useMemo(() => placesOf(chunks), [chunks]);
  const pinned = current === null ? null : (places.get(current)?.key ?? null);
  return (
    <>
      <ChangeMinimap
        text={root}
        changes={changes}
        places={places}
        personAt={personAt}
        layout={columns ? "columns" : "inline"}
        current={current}
        onGo={onGo}
      />
      <div className={classNames(styles.sheet, columns && styles.broad)}>
        <div className={classNames(text.text, diff.diff)} data-readonly>
          {columns && (
            <DiffSides before={revisionStamp(timeline, from)} after={revisionStamp(timeline, to)} />
          )}
          <div ref={root}>
            <DiffWindow
              root={root}
              chunks={chunks}
              pinned={pinned}
              changes={changes}
              personAt={personAt}
              authorNames={namesOf}
              authorOf={source.authorOf}
              at={to}
              columns={columns}
              onOpen={(key) => setOpened(({ keys }) => ({ rows, keys: new Set([...keys, key]) }))}
            />
          </div>
        </div>
      </div>
    </>
  );
}
