import { backoff } from "@/events/core/backoff";
import type { Clock, Random } from "@/events/core/clock";
import { StoreFault } from "@/events/log/store";

type Input = {
  read: (ids: readonly string[]) => Promise<void>;
  clock: Pick<Clock, "after">;
  random: Pick<Random, "unit">;
};

const retrying = { first: 1_000, longest: 30_000 };

/**
 * Reads requested rows, one request at a time. If the server cannot be reached, the read is
 * retried. Rows that can never be read are given up and do not block others.
 */
export class RowReading {
  private readonly wanted = new Map<string, readonly (() => void)[]>();
  private reading: Promise<void> | null = null;
  private failures = 0;
  private isRetrying = false;
  private cancelRetry = () => {};

  private readonly input: Input;

  constructor(input: Input) {
    this.input = input;
  }

  /** Enables retries. Returns the function that disables them. */
  readonly begin = (): (() => void) => {
    this.isRetrying = true;
    return () => {
      this.isRetrying = false;
      this.cancelRetry();
    };
  };

  /**
   * Requests rows and calls `onEnd` as soon as they are read or given up. The promise settles after
   * the first attempt, whatever the answer. Unexpected faults are thrown.
   */
  readonly ask = (ids: readonly string[], onEnd?: () => void): Promise<void> => {
    const calls = onEnd ? [onEnd] : [];
    for (const id of ids) this.wanted.set(id, [...(this.wanted.get(id) ?? []), ...calls]);
    return (this.reading ??= this.readAll());
  };

  private async readAll(): Promise<void> {
    this.cancelRetry();
    // Requests of the same tick are batched.
    await Promise.resolve();
    try {
      while (this.wanted.size > 0) await this.readWanted();
      this.failures = 0;
    } catch (fault) {
      if (!(fault instanceof StoreFault)) throw fault;
      this.failures += 1;
      if (!this.isRetrying || !fault.retryable) return;
      const delay = backoff(this.input.random, this.failures, retrying);
      this.cancelRetry = this.input.clock.after(delay, () => void this.ask([]));
    } finally {
      this.reading = null;
    }
  }

  private async readWanted(): Promise<void> {
    const asked = new Map(this.wanted);
    this.wanted.clear();
    const end = () => {
      for (const call of new Set([...asked.values()].flat())) call();
    };
    try {
      await this.input.read([...asked.keys()]);
    } catch (fault) {
      if (fault instanceof StoreFault && fault.retryable)
        for (const [id, calls] of asked)
          this.wanted.set(id, [...calls, ...(this.wanted.get(id) ?? [])]);
      else end();
      throw fault;
    }
    end();
  }
}
