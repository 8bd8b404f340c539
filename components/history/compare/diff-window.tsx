"use client";

import { memo, useEffect, useMemo, useRef } from "react";
import type { RefObject } from "react";
import { stillRows } from "@/events/analysis/comparison/comparison";
import type { Change } from "@/events/analysis/comparison/comparison";
import type { Row } from "@/events/analysis/comparison/comparison-rows";
import { Button } from "@/components/ui/button";
import { counted } from "@/components/history/words/change-words";
import { DiffColumns } from "./diff-columns";
import type { DiffChunk } from "./diff-chunks";
import { DiffText } from "./diff-text";
import type { PersonAt } from "./diff-text";
import { judgedHeight, useNearChunks } from "./near-chunks";
import type { ComparisonAuthors } from "@/components/history/authors/authors";
import { roleOf } from "@/events/analysis/comparison/node-roles";
import styles from "./diff.module.css";

type DiffContext = {
  changes: readonly Change[];
  personAt: PersonAt;
  authorNames: (change: Change) => string[];
  authorOf: ComparisonAuthors["source"]["authorOf"];
  at: number;
  columns: boolean;
};

type Props = DiffContext & {
  root: RefObject<HTMLDivElement | null>;
  chunks: readonly DiffChunk[];
  /** The key of the chunk with the current change, which is always rendered. */
  pinned: string | null;
  onOpen: (key: string) => void;
};

const alwaysFirst = 3;

/** Returns a comparison's scroll container, or null on phones, where the page itself scrolls. */
function scrollerOf(element: HTMLElement): HTMLElement | null {
  const main = element.closest("main");
  return main && getComputedStyle(main).overflowY !== "visible" ? main : null;
}

/** Shows the text of a comparison. Only the chunks near the viewport are in the DOM. */
export function DiffWindow({ root, chunks, pinned, onOpen, ...context }: Props) {
  const near = useNearChunks(root, chunks, scrollerOf);
  const opened = useRef<string | null>(null);
  useEffect(() => {
    // The opened chunk receives the focus of the removed button.
    if (opened.current !== null)
      root.current
        ?.querySelector<HTMLElement>(`[data-chunk="${opened.current}"]`)
        ?.focus({ preventScroll: true });
    opened.current = null;
  }, [root, chunks]);
  return chunks.map((chunk, index) => {
    const { key, rows, folded } = chunk;
    if (folded) {
      return (
        <div key={key} className={styles.folded}>
          <Button look="quiet" onClick={() => onOpen((opened.current = key))}>
            {counted(rows.length, "unchanged paragraph")}
          </Button>
        </div>
      );
    }
    const last = near.get(key);
    const shown = index < alwaysFirst || key === pinned || last === null;
    return (
      <div
        key={key}
        className={styles.chunk}
        data-chunk={key}
        tabIndex={-1}
        style={shown ? undefined : { blockSize: last ?? judgedHeight(rows, context.at) }}
      >
        {shown && <PartRows rows={rows} {...context} />}
      </div>
    );
  });
}

const PartRows = memo(function PartRows({
  rows,
  at,
  authorOf,
  columns,
  ...context
}: DiffContext & { rows: readonly Row[] }) {
  const whole = useMemo(
    () =>
      rows.flatMap((row) => (row.still ? stillRows(row.still, { at, authorOf, roleOf }) : [row])),
    [rows, at, authorOf],
  );
  return columns ? (
    <DiffColumns rows={whole} {...context} />
  ) : (
    <DiffText rows={whole} {...context} />
  );
});
