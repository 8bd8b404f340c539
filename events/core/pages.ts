/**
 * The most rows of one request: the log's functions return no more, and PostgREST cuts longer
 * answers silently.
 */
export const pageRows = 1000;

/** Rows of a list that the server renders, and that each "Show more" adds. */
export const rowsAtATime = 100;

/**
 * Reads a list to its end, page by page. `read` returns at most `pageRows` rows after the last one
 * so far; a shorter page is the last.
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
