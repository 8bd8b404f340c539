import { urlOf } from "./renewal-answer";

// The browsers' limit on the bodies of all pending keepalive requests of a page, in bytes.
const keepaliveBytes = 16_384;
/** The slowest upload to allow for, in bytes per millisecond. */
const slowest = 4;
/** How long to wait for a response to begin, in milliseconds. */
const patience = 60_000;
/**
 * The first timeout of calls to the log, in milliseconds. The calls are safe to retry because
 * events have ids. The server ends statements after 8 s, so a later response is unlikely.
 */
const firstPatience = 12_000;
const logCalls = /\/rest\/v1\/rpc\/(append_events|read_events|read_feed|stream_topic)\b/;

/** The timeout of calls to the log, doubled with each consecutive failure. */
class LogPatience {
  private givenUp = 0;

  /** Begins a wait of `most` ms; `ended` reports its outcome. */
  begin(): { most: number; ended(isAnswered: boolean): void } {
    const before = this.givenUp;
    return {
      most: Math.min(patience, firstPatience * 2 ** before),
      // Concurrent calls that time out count as one failure.
      ended: (isAnswered) => (this.givenUp = isAnswered ? 0 : Math.max(this.givenUp, before + 1)),
    };
  }
}

/**
 * Creates a fetch with two differences from the browser's. A small write outlives its page: a
 * document trashed just before the window closes is trashed. A request without a response is
 * aborted with a retryable error, since some networks swallow a request and keep its connection
 * open.
 */
export function keepAliveFetch(): typeof fetch {
  const log = new LogPatience();
  return async (input, init = {}) => {
    const wait = logCalls.test(urlOf(input)) ? log.begin() : null;
    const size = typeof init.body === "string" ? init.body.length : 0;
    const given = new AbortController();
    const abort = () => given.abort(init.signal?.reason);
    const giveUp = () => {
      wait?.ended(false);
      given.abort(new DOMException("The request timed out", "TimeoutError"));
    };
    if (init.signal?.aborted) abort();
    init.signal?.addEventListener("abort", abort);
    const timer = setTimeout(giveUp, (wait?.most ?? patience) + size / slowest);
    try {
      const answer = await fetch(input, {
        ...init,
        signal: given.signal,
        ...(size > 0 && size <= keepaliveBytes && { keepalive: true }),
      });
      return wait === null ? answer : watched(answer, wait, { signal: given.signal, giveUp });
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Returns the response, and aborts it if its body stalls for longer than the timeout. */
function watched(
  answer: Response,
  wait: ReturnType<LogPatience["begin"]>,
  { signal, giveUp }: { signal: AbortSignal; giveUp: () => void },
): Response {
  if (!answer.body) {
    wait.ended(true);
    return answer;
  }
  signal.addEventListener("abort", () => clearTimeout(timer));
  let timer = setTimeout(giveUp, wait.most);
  const body = answer.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(part, control) {
        clearTimeout(timer);
        timer = setTimeout(giveUp, wait.most);
        control.enqueue(part);
      },
      flush() {
        clearTimeout(timer);
        wait.ended(true);
      },
    }),
  );
  return new Response(body, answer);
}
