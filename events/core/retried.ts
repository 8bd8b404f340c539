import { type Clock } from "./clock";

type Input<T> = {
  clock: Clock;
  /** Answers null where it is to be done again. */
  work: () => Promise<T | null>;
  done: (value: T) => void;
  /** Hears of every failure. */
  failed: (fault: unknown) => void;
  /** How long to wait before it is done again: twice as long each time. */
  delays?: { first: number; longest: number };
};

/** Does work again until it succeeds; the answer stops it. */
export function retried<T>({
  clock,
  work,
  done,
  failed,
  delays = { first: 1_000, longest: 30_000 },
}: Input<T>): () => void {
  let stopped = false;
  let delay = delays.first;
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
    cancel = clock.after(delay, () => void attempt());
    delay = Math.min(delays.longest, delay * 2);
  };
  void attempt();
  return () => {
    stopped = true;
    cancel();
  };
}
