import * as z from "zod/mini";
import { pageRows, pages } from "@/events/core/pages";
import { faultOf } from "./store";

type Answer = { data: unknown; error: { message: string } | null; status: number };
type Parser<T> = { parse: (value: unknown) => T };
/** A query of the database's, filtered and not yet ordered. */
type Query = {
  or(filters: string): Query;
  order(column: string): Query;
  limit(count: number): PromiseLike<Answer>;
};

/** A list of ids travels in the address, which has a limit: so many go together. */
const together = 80;
const rawRow = z.record(z.string(), z.unknown());
type RawRow = z.infer<typeof rawRow>;

/** Reads every row of an answer; throws StoreFault where there was none. */
export function readRows<T>(answer: Answer, row: Parser<T>): T[] {
  if (answer.error) throw faultOf(answer.error, answer.status);
  return z
    .array(z.unknown())
    .parse(answer.data)
    .map((value) => row.parse(value));
}

/**
 * Reads all rows of a query, however many. The columns of `key` are selected, unique together and
 * never change (ids and numbers): pages begin after the key of the last row, so a row that comes or
 * changes meanwhile shifts no other into a page that was read already. They are in the order of the key.
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

/** What the rows behind one fulfil in the order of a key. */
function beyond([column = "", ...rest]: readonly string[], last: RawRow): string {
  const after = `${column}.gt.${String(last[column])}`;
  return rest.length === 0
    ? after
    : `${after},and(${column}.eq.${String(last[column])},or(${beyond(rest, last)}))`;
}

/** Sorts by a text, or by a time as the database writes it; equal ones stay as they were. */
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

/** Reads what belongs to some ids, as many of them at a time as fit into an address. */
export async function readByIds<Row>(
  ids: readonly string[],
  read: (ids: readonly string[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let at = 0; at < ids.length; at += together)
    for (const row of await read(ids.slice(at, at + together))) rows.push(row);
  return rows;
}
