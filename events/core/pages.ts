/**
 * The most rows of one request. The log's functions return no more, and PostgREST silently cuts
 * longer answers.
 */
export const pageRows = 1000;

/** The number of rows of a list that the server renders, and that each "Show more" adds. */
export const rowsAtATime = 100;

/**
 * Reads a list to its end, page by page. `read` returns at most `pageRows` rows after the given
 * last row. A page with fewer rows is the last one.
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
