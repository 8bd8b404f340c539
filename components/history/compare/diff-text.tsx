"use client";

import { Fragment, memo } from "react";
import type { ReactNode } from "react";
import type { Change } from "@/events/analysis/comparison/comparison";
import type { Row, Run } from "@/events/analysis/comparison/comparison-rows";
import type { Holder } from "@/events/analysis/comparison/revision-tokens";
import type { Person } from "@/events/read-models/person";
import { documentSchema } from "@/events/content/schema";
import { classNames } from "@/components/ui/class-names";
import { personClass } from "@/components/ui/pictures/palette";
import {
  blockWords,
  revisionKindWords,
  markWords,
  namesWords,
  startWords,
} from "@/components/history/words/change-words";
import { DrawnMark, DrawnNode } from "./rendered-nodes";
import styles from "./diff.module.css";

/** Returns the author of a revision, as a comparison shows them. */
export type PersonAt = (revision: number) => Pick<Person, "name" | "color">;

type RunProps = { run: Run; change: number | null; spoken: string | null; personAt: PersonAt };

/**
 * Renders earlier or later words with their marks. A change states its kind and author without
 * relying on colour.
 */
export function DiffRun({ run, change, spoken, personAt }: RunProps) {
  const { kind, text, marks, moved, remarked, isBreak } = run;
  let words: ReactNode = text;
  for (const { type, attrs } of marks.toReversed())
    words = (
      <DrawnMark type={type} attrs={attrs}>
        {words}
      </DrawnMark>
    );
  if (change === null) return words;
  const person = personAt(run.revision);
  const tag = { "data-change": change, "data-author": person.name, className: "" };
  tag.className = classNames(
    personClass(person.color),
    moved !== null && styles.moved,
    isBreak && styles.break,
    spoken !== null && styles.first,
  );
  const spokenPrefix = spoken !== null && <span className="sr">{spoken} </span>;
  if (kind === "in")
    return (
      <ins {...tag}>
        {spokenPrefix}
        {words}
      </ins>
    );
  if (kind === "out")
    return (
      <del {...tag}>
        {spokenPrefix}
        {words}
      </del>
    );
  return (
    <span
      {...tag}
      className={classNames(tag.className, styles.marked)}
      title={remarked ? `Now ${markWords(remarked)}` : undefined}
    >
      {spokenPrefix}
      {words}
    </span>
  );
}

type Props = {
  rows: readonly Row[];
  changes: readonly Change[];
  personAt: PersonAt;
  authorNames: (change: Change) => string[];
  /** The numbers of list items, in case the rows begin inside a list. */ numbers?: ReadonlyMap<
    number,
    number
  >;
};

/**
 * Returns the runs of a row that one side shows, each with its change, and with whether it is the
 * change's first run.
 */
export function markedRuns(
  row: Row,
  hidden: Run["kind"] | null,
): { run: Run; change: number | null; opens: boolean }[] {
  const shown = row.runs.flatMap((run, index) => {
    const change = row.kind === "same" ? (row.changes[index] ?? null) : row.change;
    return run.kind === hidden ? [] : [{ run, change }];
  });
  return shown.map(({ run, change }, index) => ({
    run,
    change,
    opens: change !== null && change !== (shown[index - 1]?.change ?? null),
  }));
}

function RowWords({
  row,
  changes,
  personAt,
  authorNames,
}: Omit<Props, "rows" | "numbers"> & { row: Row }) {
  const whole = row.kind !== "same";
  const form = row.was && row.change !== null ? changes[row.change] : undefined;
  const runs = markedRuns(row, null).map(({ run, change, opens }, index) => {
    const known = opens && change !== null ? changes[change] : undefined;
    const spoken = known
      ? `${startWords(namesWords(authorNames(known)))} ${revisionKindWords[known.changeKind]}:`
      : null;
    return <DiffRun key={index} run={run} change={change} spoken={spoken} personAt={personAt} />;
  });
  return (
    <>
      {form && row.was && (
        <span
          className={classNames(styles.form, personClass(personAt(form.revision).color))}
          data-change={form.index}
        >
          {startWords(namesWords(authorNames(form)))} made this {blockWords(row.frame)}; it was{" "}
          {blockWords(row.was)}.
        </span>
      )}
      {runs}
      {whole && row.runs.length === 0 && (
        <span
          className={classNames(
            styles.empty,
            personClass(personAt(row.frame.block.revision).color),
          )}
          data-change={row.change}
        >
          {row.kind === "in" ? "Empty block added" : "Empty block removed"}
        </span>
      )}
      {!whole && row.runs.length === 0 && <br />}
    </>
  );
}

function Block({ row, ...rest }: Omit<Props, "rows" | "numbers"> & { row: Row }) {
  const { name, attrs } = row.frame.block;
  const extra =
    row.kind === "same"
      ? {}
      : {
          "data-diff": row.kind,
          className: classNames(styles.whole, row.kind !== "in" && styles.gone),
        };
  if (documentSchema.nodes[name]?.isLeaf === true)
    return <DrawnNode name={name} attrs={attrs} extra={{ ...extra, "data-change": row.change }} />;
  return (
    <DrawnNode name={name} attrs={attrs} extra={extra}>
      <RowWords row={row} {...rest} />
    </DrawnNode>
  );
}

function Blocks({ rows, depth, numbers, ...rest }: Props & { depth: number }) {
  const parts: { holder: Holder | null; rows: Row[] }[] = [];
  for (const row of rows) {
    const holder = row.frame.path[depth] ?? null;
    const last = parts.at(-1);
    if (last && holder && last.holder?.unit === holder.unit) last.rows.push(row);
    else parts.push({ holder, rows: [row] });
  }
  return parts.map(({ holder, rows: within }, index) => {
    const [first] = within;
    if (!holder) return <Fragment key={index}>{first && <Block row={first} {...rest} />}</Fragment>;
    const kind = first && within.every((row) => row.kind === first.kind) ? first.kind : "same";
    const number =
      holder.name === "orderedList"
        ? numbers?.get(first?.frame.path[depth + 1]?.unit ?? -1)
        : undefined;
    const start =
      number === undefined ? {} : { start: (Number(holder.attrs.start) || 1) + number - 1 };
    return (
      <DrawnNode
        key={index}
        name={holder.name}
        attrs={{ ...holder.attrs, ...start }}
        extra={kind === "same" ? {} : { "data-diff": kind }}
      >
        <Blocks rows={within} depth={depth + 1} {...(numbers && { numbers })} {...rest} />
      </DrawnNode>
    );
  });
}

/**
 * Shows both texts as one document. Deletions are struck through in place, and insertions are
 * underlined.
 */
export const DiffText = memo(function DiffText(props: Props) {
  return <Blocks {...props} depth={0} />;
});
