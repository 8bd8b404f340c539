import { backoff } from "@/events/core/backoff";
import type { Clock, Random } from "@/events/core/clock";
import { StoreFault } from "@/events/log/store";
import type { HistorySource } from "./history";

type Input = { clock: Pick<Clock, "after">; random: Pick<Random, "unit">; signal: AbortSignal };

/** The most attempts per page of the log. */
const mostAttempts = 3;
/** The waits between attempts, in milliseconds. */
const delays = { first: 1_000, longest: 4_000 };

/**
 * Wraps a source: repeats requests for log pages without an answer, so that a failed request does
 * not abort a partly loaded history. Throws the last fault.
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
