import { backoff } from "@/events/core/backoff";
import { type Clock, type Random } from "@/events/core/clock";
import { StoreFault } from "@/events/log/store";
import { type HistorySource } from "./history";

type Input = { clock: Pick<Clock, "after">; random: Pick<Random, "unit">; signal: AbortSignal };

/** How often a page of the log is asked for in all. */
const mostAttempts = 3;
/** The waits between, in ms. */
const delays = { first: 1_000, longest: 4_000 };

/**
 * The same source, which asks again for a page of the log that nobody answered: a history that has
 * come in part is not to be given up for one request. The last fault is thrown.
 */
export function retryingSource(
  source: HistorySource,
  { clock, random, signal }: Input,
): HistorySource {
  const segments = source.segments?.bind(source);
  return {
    async read(...page) {
      for (let failures = 1; ; failures += 1) {
        try {
          return await source.read(...page);
        } catch (fault) {
          if (!(fault instanceof StoreFault && fault.retryable) || failures === mostAttempts)
            throw fault;
        }
        await new Promise<void>((resolve) =>
          clock.after(backoff(random, failures, delays), resolve),
        );
        signal.throwIfAborted();
      }
    },
    ...(segments && { segments }),
  };
}
