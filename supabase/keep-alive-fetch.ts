import { urlOf } from "./renewal-answer";

// What browsers let outlive a page, all such requests of the page together.
const keepaliveBytes = 16_384;
/** How many bytes of what is sent the slowest network takes in each millisecond. */
const slowest = 4;
/** How long nobody may have begun to answer, in milliseconds. */
const patience = 60_000;
/**
 * The same for calls to the log, which may be asked again: each event has its id. Whoever is asked
 * ends a statement after 8 s, so that later than this most likely nobody hears.
 */
const firstPatience = 12_000;
const logCalls = /\/rest\/v1\/rpc\/(append_events|read_events|read_feed|stream_topic)\b/;

/** How long whoever asks for the log waits: longer each time in a row that nobody answered. */
class LogPatience {
  private givenUp = 0;

  /** A wait that begins now, and how to say what came of it. */
  begin(): { most: number; ended(isAnswered: boolean): void } {
    const before = this.givenUp;
    return {
      most: Math.min(patience, firstPatience * 2 ** before),
      // Several that were given up together count as one.
      ended: (isAnswered) => (this.givenUp = isAnswered ? 0 : Math.max(this.givenUp, before + 1)),
    };
  }
}

/**
 * Makes a fetch that does as the browser's does, but for two things. A small write outlives the
 * page that made it: who trashes a document and closes the window has trashed it. And what is never
 * answered is given up, as a fault that one may try again after: some networks swallow a request
 * and keep its connection open.
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
      given.abort(new DOMException("Nobody answered.", "TimeoutError"));
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

/** The answer, which is given up where nothing of it comes for as long as it was waited for. */
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
