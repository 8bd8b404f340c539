"use client";

import { useLayoutEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import { rowsAtATime } from "@/events/core/pages";
import { useAnnounce } from "./announcer";

/** Returns the shown rows of a list: the first `count`, and a needed row beyond them. */
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

/** Focuses a row if it can be focused, otherwise its first control. */
function focusRow(row: Element | undefined): void {
  if (!(row instanceof HTMLElement)) return;
  const isFocusable = row.tabIndex >= 0;
  const first = isFocusable ? null : row.querySelector<HTMLElement>("a, button");
  if (!isFocusable && !first) row.tabIndex = -1;
  (first ?? row).focus();
}

/** The focused element and the number of rows at the time when more rows were requested. */
type RowsRequest = { focused: Element | null; shown: number };

type MoreRows<List extends HTMLElement> = {
  /** The list, whose children are the rows. */
  list: RefObject<List | null>;
  /** Call this when more rows are requested, before the rows arrive. */
  expectRows: () => void;
  /** Call this when the request has failed. */
  expectNone: () => void;
};

/**
 * Moves the focus to the first new row once requested rows arrive, because that row replaces the
 * button. If the reader has moved the focus meanwhile, the focus stays. Announces how many of `all`
 * are shown.
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
    // A removed button leaves the focus on the body.
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
  /** Whether a row must be shown even if it is beyond the shown ones. */
  needed?: (row: Row) => boolean;
  atATime?: number;
  /** The total number of rows, if `rows` has only the first rows so far. */
  all?: number | undefined;
};

type LongList<Row> = {
  shown: readonly Row[];
  /** Shows more rows. Null if all rows are shown. */
  showMore: (() => void) | null;
  /** The list, whose children are the rows. */
  list: RefObject<HTMLUListElement | null>;
};

/** Returns the shown rows of a list, and the function that shows more. */
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
