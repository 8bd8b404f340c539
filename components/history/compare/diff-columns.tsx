"use client";

import { memo } from "react";
import type { Change } from "@/events/analysis/comparison/comparison";
import type { Kind, Row, Run } from "@/events/analysis/comparison/comparison-rows";
import type { Frame } from "@/events/analysis/comparison/revision-tokens";
import { classNames } from "@/components/ui/class-names";
import { revisionKindWords, namesWords, startWords } from "@/components/history/words/change-words";
import { DiffRun, markedRuns } from "./diff-text";
import type { PersonAt } from "./diff-text";
import { DrawnNode } from "./rendered-nodes";
import styles from "./diff.module.css";

type Props = {
  rows: readonly Row[];
  changes: readonly Change[];
  personAt: PersonAt;
  authorNames: (change: Change) => string[];
};

const leads: Record<string, string> = {
  bulletList: "–",
  orderedList: "·",
  taskList: "☐",
  blockquote: "“",
  table: "",
};

/** Returns the list marker of a block that is shown outside its list. */
function lead({ path }: Frame): string {
  const holder = path.findLast(({ name }) => name in leads);
  if (holder?.name !== "taskList") return holder ? (leads[holder.name] ?? "") : "";
  return path.at(-1)?.attrs.checked === true ? "☑" : "☐";
}

/** Returns a retained run with the marks of the earlier side. */
function before(run: Run): Run {
  if (!run.remarked) return run;
  const { worn, shed } = run.remarked;
  return { ...run, marks: [...run.marks.filter((mark) => !worn.includes(mark)), ...shed] };
}

function Cell({
  row,
  side,
  ...rest
}: Pick<Props, "changes" | "personAt" | "authorNames"> & {
  row: Row;
  side: Exclude<Kind, "same">;
}) {
  const frame = side === "out" ? (row.was ?? row.frame) : row.frame;
  const other = side === "out" ? "in" : "out";
  if (row.kind === other) return <div className={styles.cell} data-side={side} />;
  const words = markedRuns(row, other).map(({ run: markedRun, change, opens }, index) => {
    const run = side === "out" ? before(markedRun) : markedRun;
    const known = opens && change !== null ? rest.changes[change] : undefined;
    const spoken = known
      ? `${startWords(namesWords(rest.authorNames(known)))} ${revisionKindWords[known.changeKind]}:`
      : null;
    return (
      <DiffRun key={index} run={run} change={change} spoken={spoken} personAt={rest.personAt} />
    );
  });
  const depth = frame.path.filter(({ name }) => name in leads).length;
  const extra = {
    className: classNames(row.kind !== "same" && styles.whole),
    ...(row.change === null ? {} : { "data-change": row.change }),
  };
  return (
    <div className={styles.cell} data-side={side} style={{ paddingInlineStart: `${depth * 26}px` }}>
      {depth > 0 && (
        <span className={styles.lead} aria-hidden="true">
          {lead(frame)}
        </span>
      )}
      <DrawnNode name={frame.block.name} attrs={frame.block.attrs} extra={extra}>
        {words.length > 0 ? words : <br />}
      </DrawnNode>
    </div>
  );
}

/** Shows the headings of the two sides, which are the times of their revisions. */
export function DiffSides({ before, after }: { before: string; after: string }) {
  return (
    <div className={styles.columns}>
      <div className={styles.side}>{before}</div>
      <div className={styles.side}>{after}</div>
    </div>
  );
}

/** Shows both texts side by side, block by block, the earlier text on the left. */
export const DiffColumns = memo(function DiffColumns({ rows, ...rest }: Props) {
  return (
    <div className={styles.columns}>
      {rows.map((row, index) => (
        <div key={index} className={styles.pair}>
          <Cell row={row} side="out" {...rest} />
          <Cell row={row} side="in" {...rest} />
        </div>
      ))}
    </div>
  );
});
