import { never } from "@/events/crdt/updates/lifespans";

/** Characters that are others still: `length` of them, from `from` on, stand from `to` on. */
type Run = { revision: number; from: number; to: number; length: number };

/** The character that none is. */
const none = 0xffff_ffff;

/**
 * Runs of returned characters, each from the last character that its letter was before: of a letter that was restored
 * twice, the second copy continues the first one. Where that one still stood, a run stays as it is and continues
 * nothing (`isLinear`).
 */
type ContinuedRun = Run & { isLinear: boolean };

type Input = {
  /** Both in the order of their revisions. */
  returned: readonly Run[];
  rewritten: readonly Run[];
  /** How many characters there are in all. */
  length: number;
  diedAt: (at: number) => number;
};

/** Puts runs that bring letters back in one line with everything that those letters were before. */
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
