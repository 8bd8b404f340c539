/** One kind of work, which takes at most `full` things a run. */
export type Work = {
  /** The kinds of `take_work` that call for it. */
  kinds: readonly string[];
  run: () => Promise<number>;
  full: number;
  during: string;
};

/** Kinds that are found by reading all of storage; they are asked about once in `rareMs`. */
const rareKinds: readonly string[] = ["leftovers", "pictures"];
const rareMs = 60_000;
/**
 * How long, in ms, until the project is asked again: after work was done, and at most. New words are
 * found within ten seconds (SEARCH-9), and a turn of `take_work` ends after twenty.
 */
const pause = { shortest: 3_000, longest: 8_000, growth: 1.5 };

type Clock = { now(): number; after(ms: number, action: () => void): void };

/**
 * Asks now and then which kinds of work wait, and does them side by side. One question names them all.
 * The pause grows while nothing waits.
 */
export function keepUp(input: {
  works: readonly Work[];
  /** Those of the kinds that wait for this process; renews its turns for those it is doing. */
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
      failed(fault, "asking what work waits");
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
