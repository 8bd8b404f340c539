import { never } from "@/events/crdt/updates/lifespans";

/** Characters that continue others: `length` characters from `from` on continue from `to` on. */
type Run = { revision: number; from: number; to: number; length: number };

/** Stands for no character. */
const none = 0xffff_ffff;

/**
 * A run of returned characters. Each continues the latest earlier character of its letter: the
 * second copy of a letter that was restored twice continues the first copy. If the latest character
 * still stood, the run is unchanged and continues nothing (`isLinear` is false).
 */
type ContinuedRun = Run & { isLinear: boolean };

type Input = {
  /** Both lists are sorted by revision. */
  returned: readonly Run[];
  rewritten: readonly Run[];
  /** The number of characters. */
  length: number;
  diedAt: (at: number) => number;
};

/** Links returned runs to the latest earlier characters of their letters. */
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
