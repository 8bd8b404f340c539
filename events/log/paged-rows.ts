import * as z from "zod/mini";
import { pageRows, pages } from "@/events/core/pages";
import { faultOf } from "./store";

type Answer = { data: unknown; error: { message: string } | null; status: number };
type Parser<T> = { parse: (value: unknown) => T };
/** A PostgREST query that is filtered and not yet ordered. */
type Query = {
  or(filters: string): Query;
  order(column: string): Query;
  limit(count: number): PromiseLike<Answer>;
};

/** Ids per request. The ids are part of the URL, whose length is limited. */
const together = 80;
const rawRow = z.record(z.string(), z.unknown());
type RawRow = z.infer<typeof rawRow>;

/** Parses every row of an answer. Throws StoreFault if the request failed. */
export function readRows<T>(answer: Answer, row: Parser<T>): T[] {
  if (answer.error) throw faultOf(answer.error, answer.status);
  return z
    .array(z.unknown())
    .parse(answer.data)
    .map((value) => row.parse(value));
}

/**
 * Reads all rows of a query, however many, in the order of `key`. The key's columns are selected,
 * unique together and immutable (ids and numbers). Each page begins after the last row's key, so a
 * row that is added or changed meanwhile shifts no other row between pages.
 */
export async function allRows<T>(
  query: () => Query,
  key: readonly string[],
  row: Parser<T>,
): Promise<T[]> {
  const all: T[] = [];
  const page = async (last: RawRow | null) => {
    const next = last === null ? query() : query().or(beyond(key, last));
    const ordered = key.reduce((sorted, column) => sorted.order(column), next);
    return readRows(await ordered.limit(pageRows), rawRow);
  };
  for await (const rows of pages(page)) for (const each of rows) all.push(row.parse(each));
  return all;
}

/** Returns the filter for the rows after `last` in the order of the key. */
function beyond([column = "", ...rest]: readonly string[], last: RawRow): string {
  const after = `${column}.gt.${String(last[column])}`;
  return rest.length === 0
    ? after
    : `${after},and(${column}.eq.${String(last[column])},or(${beyond(rest, last)}))`;
}

/** Sorts rows by a text, or by a time in the database's notation. The sort is stable. */
export function sorted<T>(
  rows: readonly T[],
  textOf: (row: T) => string,
  direction: 1 | -1 = 1,
): T[] {
  return rows.toSorted((a, b) => {
    const [one, other] = [textOf(a), textOf(b)];
    return one === other ? 0 : one < other ? -direction : direction;
  });
}

/** Reads the rows of some ids, with as many ids per request as fit into a URL. */
export async function readByIds<Row>(
  ids: readonly string[],
  read: (ids: readonly string[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let at = 0; at < ids.length; at += together)
    for (const row of await read(ids.slice(at, at + together))) rows.push(row);
  return rows;
}
