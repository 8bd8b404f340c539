/** One kind of background work. A run handles at most `full` items. */
export type Work = {
  /** The kinds of `take_work` that start this work. */
  kinds: readonly string[];
  run: () => Promise<number>;
  full: number;
  during: string;
};

/** Kinds that the database finds by reading all of Storage. They are polled once per `rareMs`. */
const rareKinds: readonly string[] = ["leftovers", "pictures"];
const rareMs = 60_000;
/**
 * The pause between polls in milliseconds: `shortest` after work was done, growing up to `longest`.
 * New words must be searchable within ten seconds (SEARCH-9), and a lease of `take_work` expires
 * after twenty.
 */
const pause = { shortest: 3_000, longest: 8_000, growth: 1.5 };

type Clock = { now(): number; after(ms: number, action: () => void): void };

/**
 * Polls for kinds of work with pending items, in one request for all kinds, and runs them
 * concurrently. The pause grows while there is no work.
 */
export function keepUp(input: {
  works: readonly Work[];
  /** Leases some of the kinds to this process, and renews its leases for running ones. */
  ask: (kinds: readonly string[]) => Promise<readonly string[]>;
  clock: Clock;
  failed: (fault: unknown, during: string) => void;
}): void {
  const { works, ask, clock, failed } = input;
  const running = new Set<Work>();
  let [askedRarelyAt, pauseMs, hasWorked] = [-Infinity, pause.shortest, false];

  async function work(one: Work): Promise<void> {
    running.add(one);
    try {
      for (let done = one.full; done >= one.full;) {
        done = await one.run();
        hasWorked ||= done > 0;
      }
    } catch (fault) {
      failed(fault, one.during);
    }
    running.delete(one);
  }

  async function round(): Promise<void> {
    const isRare = clock.now() - askedRarelyAt >= rareMs;
    if (isRare) askedRarelyAt = clock.now();
    const kinds = works.flatMap((one) =>
      one.kinds.filter((kind) => isRare || running.has(one) || !rareKinds.includes(kind)),
    );
    try {
      const waiting = await ask(kinds);
      for (const one of works)
        if (!running.has(one) && one.kinds.some((kind) => waiting.includes(kind))) void work(one);
    } catch (fault) {
      failed(fault, "looking for due maintenance");
    }
  }

  const later = () =>
    clock.after(pauseMs, () => {
      void round().then(() => {
        const isBusy = hasWorked || running.size > 0;
        hasWorked = false;
        pauseMs = isBusy ? pause.shortest : Math.min(pauseMs * pause.growth, pause.longest);
        later();
      });
    });
  later();
}
