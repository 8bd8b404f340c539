"use client";

import { useLayoutEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import { rowsAtATime } from "@/events/core/pages";
import { useAnnounce } from "./announcer";

/** The shown rows of a list: the first `count`, and one that is needed beyond them. */
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

/** Focuses a row: itself if it can take the focus, else its first control. */
function focusRow(row: Element | undefined): void {
  if (!(row instanceof HTMLElement)) return;
  const isFocusable = row.tabIndex >= 0;
  const first = isFocusable ? null : row.querySelector<HTMLElement>("a, button");
  if (!isFocusable && !first) row.tabIndex = -1;
  (first ?? row).focus();
}

/** The focused element when more rows were requested, and the number of rows then. */
type RowsRequest = { focused: Element | null; shown: number };

type MoreRows<List extends HTMLElement> = {
  /** The list, whose children are the rows. */
  list: RefObject<List | null>;
  /** Call it when more rows are requested, before they arrive, */
  expectRows: () => void;
  /** and when the request has failed. */
  expectNone: () => void;
};

/**
 * Moves the focus to the first new row, which takes the place of the button, once requested rows
 * arrive, and announces how many of `all` are shown. Focus that the reader has moved elsewhere
 * meanwhile stays.
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
  /** Identifies a row that is always shown. */
  needed?: (row: Row) => boolean;
  atATime?: number;
  /** The total number of rows, when `rows` holds only the first ones so far. */
  all?: number | undefined;
};

type LongList<Row> = {
  shown: readonly Row[];
  /** Null when all are shown. */
  showMore: (() => void) | null;
  /** The list, whose children are the rows. */
  list: RefObject<HTMLUListElement | null>;
};

/** The shown rows of a list, and the function that shows more. */
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
