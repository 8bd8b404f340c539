"use client";

import { useState } from "react";

/** So many rows of a list stand in the page at first, and more of them each time that more is asked for. */
export const rowsAtATime = 200;

/** Which rows of a list are shown: the first `count`, and one that must not be missing. */
export function shownRows<Row>(
  rows: readonly Row[],
  count: number,
  needed: (row: Row) => boolean = () => false,
): readonly Row[] {
  const first = rows.slice(0, count);
  return first.length === rows.length || first.some(needed)
    ? first
    : [...first, ...rows.slice(count).filter(needed)];
}

/** The rows of a list that are shown; `showMore` is null where all are. */
export function useLongList<Row>(
  rows: readonly Row[],
  needed?: (row: Row) => boolean,
): { shown: readonly Row[]; showMore: (() => void) | null } {
  const [count, setCount] = useState(rowsAtATime);
  return {
    shown: shownRows(rows, count, needed),
    showMore: rows.length > count ? () => setCount(count + rowsAtATime) : null,
  };
}
