"use client";

import { useLayoutEffect, useRef, useState, type RefObject } from "react";
import { rowsAtATime } from "@/events/core/pages";
import { useAnnounce } from "./announcer";

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

/** A row takes the focus itself where it can, or else by what is to be done with it first. */
function focusRow(row: Element | undefined): void {
  if (!(row instanceof HTMLElement)) return;
  const isFocusable = row.tabIndex >= 0;
  const first = isFocusable ? null : row.querySelector<HTMLElement>("a, button");
  if (!isFocusable && !first) row.tabIndex = -1;
  (first ?? row).focus();
}

/** What had the focus when more rows were asked for, and how many there were. */
type RowsRequest = { focused: Element | null; shown: number };

type MoreRows<List extends HTMLElement> = {
  /** The list, whose children are the rows. */
  list: RefObject<List | null>;
  /** To be called when more rows are asked for, before they come, */
  expectRows: () => void;
  /** and when they will not come. */
  expectNone: () => void;
};

/**
 * Leads to the rows that come when more are asked for, at once or later: the focus goes to the
 * first of them, which stands where the button stood, and a screen reader is told how many of `all`
 * are shown. Whoever has moved the focus elsewhere meanwhile keeps it there.
 */
export function useMoreRows<List extends HTMLElement>(
  shown: number,
  all: number | null,
): MoreRows<List> {
  const list = useRef<List>(null);
  const request = useRef<RowsRequest | null>(null);
  const announce = useAnnounce();
  useLayoutEffect(() => {
    if (!request.current || shown <= request.current.shown) return;
    const { activeElement } = document;
    // A button that has gone has left the focus to the page.
    if (activeElement === request.current.focused || activeElement === document.body)
      focusRow(list.current?.children[request.current.shown]);
    request.current = null;
    announce(all === null ? `Showing ${shown}.` : `Showing ${shown} of ${all}.`);
  }, [shown, all, announce]);
  const expectRows = () => {
    request.current = { focused: document.activeElement, shown };
  };
  const expectNone = () => {
    request.current = null;
  };
  return { list, expectRows, expectNone };
}

type Options<Row> = {
  /** Names a row that is shown wherever it comes. */
  needed?: (row: Row) => boolean;
  atATime?: number;
  /** How many rows there are, where `rows` has the first of them until the others are read. */
  all?: number | undefined;
};

type LongList<Row> = {
  shown: readonly Row[];
  /** Null where all are shown. */
  showMore: (() => void) | null;
  /** The list, whose children are the rows. */
  list: RefObject<HTMLUListElement | null>;
};

/** The rows of a list that are shown, and what shows more of them. */
export function useLongList<Row>(
  rows: readonly Row[],
  { needed, atATime = rowsAtATime, all = rows.length }: Options<Row> = {},
): LongList<Row> {
  const [count, setCount] = useState(atATime);
  const { list, expectRows } = useMoreRows<HTMLUListElement>(Math.min(count, rows.length), all);
  const showMore = () => {
    expectRows();
    setCount(count + atATime);
  };
  return {
    shown: shownRows(rows, count, needed),
    showMore: all > count ? showMore : null,
    list,
  };
}
