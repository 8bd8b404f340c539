/**
 * How many rows one request brings at most: what the log's functions return, and PostgREST, which
 * cuts a longer answer without saying so.
 */
export const pageRows = 1000;

/** So many rows of a list the server renders, and "Show more" adds as many. */
export const rowsAtATime = 100;

/**
 * Reads a list to its end, a page at a time: `read` brings at most `pageRows` rows that come after
 * the last one so far, and a shorter page is the last.
 */
export async function* pages<Row>(
  read: (last: Row | null) => PromiseLike<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let last: Row | null = null; ;) {
    const page: readonly Row[] = await read(last);
    yield page;
    if (page.length < pageRows) return;
    last = page.at(-1) ?? null;
  }
}
