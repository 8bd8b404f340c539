import { never } from "@/events/crdt/updates/lifespans";

/** Characters that continue others: `length` of them, from `from` on, stand from `to` on. */
type Run = { revision: number; from: number; to: number; length: number };

/** No character. */
const none = 0xffff_ffff;

/**
 * Runs of returned characters, each continuing the last earlier character of its letter: the second
 * copy of a twice restored letter continues the first. If that one still stood, the run is left as
 * it is and continues nothing (`isLinear`).
 */
type ContinuedRun = Run & { isLinear: boolean };

type Input = {
  /** Both ordered by revision. */
  returned: readonly Run[];
  rewritten: readonly Run[];
  /** The number of characters. */
  length: number;
  diedAt: (at: number) => number;
};

/** Chains runs that bring letters back with all earlier characters of those letters. */
export function continuedRuns({ returned, rewritten, length, diedAt }: Input): ContinuedRun[] {
  if (returned.length === 0) return [];
  const head = new Uint32Array(length).fill(none);
  const tail = new Uint32Array(length).fill(none);
  const headOf = (at: number) => (head[at] === none ? at : (head[at] ?? at));
  const tailOf = (first: number) => (tail[first] === none ? first : (tail[first] ?? first));
  const continued: ContinuedRun[] = [];
  const take = (run: Run, isReturned: boolean) => {
    let open: ContinuedRun | undefined;
    for (let index = 0; index < run.length; index += 1) {
      const to = run.to + index;
      const first = headOf(run.from + index);
      const last = tailOf(first);
      const died = diedAt(last);
      const isLinear = died !== never && died <= run.revision && last !== to;
      if (isLinear) {
        head[to] = first;
        tail[first] = to;
      }
      if (!isReturned) continue;
      const from = isLinear ? last : run.from + index;
      if (open?.isLinear === isLinear && open.from + open.length === from) open.length += 1;
      else continued.push((open = { revision: run.revision, from, to, length: 1, isLinear }));
    }
  };
  const all = [
    ...rewritten.map((run) => ({ run, isReturned: false })),
    ...returned.map((run) => ({ run, isReturned: true })),
  ].sort((one, other) => one.run.revision - other.run.revision);
  for (const { run, isReturned } of all) take(run, isReturned);
  return continued;
}
