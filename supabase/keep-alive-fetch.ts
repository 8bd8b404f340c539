// What browsers let outlive a page, all such requests of the page together.
const keepaliveBytes = 16_384;
/**
 * How long nobody may have begun to answer, in milliseconds, and how many bytes of what is sent the
 * slowest network takes in each.
 */
const patience = 60_000;
const slowest = 4;

/**
 * Fetches as the browser does, but for two things. A small write outlives the page that made it:
 * who trashes a document and closes the window has trashed it. And what is never answered is given
 * up, as a fault that one may try again after: some networks swallow a request and keep its
 * connection open.
 */
export async function keepAliveFetch(
  input: RequestInfo | URL,
  init: RequestInit = {},
): Promise<Response> {
  const size = typeof init.body === "string" ? init.body.length : 0;
  const given = new AbortController();
  const giveUp = () =>
    given.abort(
      init.signal?.aborted
        ? init.signal.reason
        : new DOMException("Nobody answered.", "TimeoutError"),
    );
  const timer = setTimeout(giveUp, patience + size / slowest);
  if (init.signal?.aborted) giveUp();
  init.signal?.addEventListener("abort", giveUp);
  try {
    return await fetch(input, {
      ...init,
      signal: given.signal,
      ...(size > 0 && size <= keepaliveBytes && { keepalive: true }),
    });
  } finally {
    clearTimeout(timer);
  }
}
