import { backoff } from "./backoff";
import type { BackoffLimits } from "./backoff";
import type { Clock, Random } from "./clock";

type Input<T> = {
  clock: Clock;
  random: Pick<Random, "unit">;
  /** Resolves to null if the work must be repeated. */
  work: () => Promise<T | null>;
  done: (value: T) => void;
  /** Called on every failure. */
  failed: (fault: unknown) => void;
  delays?: BackoffLimits;
};

/** Repeats work until it succeeds. Returns a function that stops it. */
export function retried<T>({
  clock,
  random,
  work,
  done,
  failed,
  delays = { first: 1_000, longest: 30_000 },
}: Input<T>): () => void {
  let stopped = false;
  let failures = 0;
  let cancel = () => {};
  const attempt = async () => {
    let value: T | null = null;
    try {
      value = await work();
    } catch (fault) {
      if (!stopped) failed(fault);
    }
    if (stopped) return;
    if (value !== null) return done(value);
    failures += 1;
    cancel = clock.after(backoff(random, failures, delays), () => void attempt());
  };
  void attempt();
  return () => {
    stopped = true;
    cancel();
  };
}
