"use client";

import { useLayoutEffect, useRef, useState, type RefObject } from "react";
import { useAnnounce } from "./announcer";

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

/** A row takes the focus by what is to be done with it first, or else itself. */
function focusRow(row: Element | undefined): void {
  const first = row?.querySelector<HTMLElement>("a, button");
  if (first) first.focus();
  else if (row instanceof HTMLElement) {
    row.tabIndex = -1;
    row.focus();
  }
}

type LongList<Row> = {
  shown: readonly Row[];
  /** Null where all are shown. */
  showMore: (() => void) | null;
  /** The list, whose children are the rows. */
  list: RefObject<HTMLUListElement | null>;
};

/**
 * The rows of a list that are shown. When more are asked for, the focus goes to the first of them,
 * which stands where the button stood, and a screen reader is told how many are shown.
 */
export function useLongList<Row>(
  rows: readonly Row[],
  needed?: (row: Row) => boolean,
): LongList<Row> {
  const [count, setCount] = useState(rowsAtATime);
  const list = useRef<HTMLUListElement>(null);
  const announce = useAnnounce();
  useLayoutEffect(() => {
    if (count > rowsAtATime) focusRow(list.current?.children[count - rowsAtATime]);
  }, [count]);
  const showMore = () => {
    setCount(count + rowsAtATime);
    announce(`Showing ${Math.min(count + rowsAtATime, rows.length)} of ${rows.length}.`);
  };
  return {
    shown: shownRows(rows, count, needed),
    showMore: rows.length > count ? showMore : null,
    list,
  };
}
