/** How often, at most, it is said how far somebody has read while they go on reading, in milliseconds. */
const readingPause = 10_000;

type Input = {
  /** Says that a version was read, and of the first one that the document was opened with it. */
  mark: (version: number, opened: boolean) => void;
  later: (work: () => void, ms: number) => () => void;
};

/** Says how far a document was read: at once on opening, then now and then, and when its reader goes. */
export function seenMarks({ mark, later }: Input): {
  reached: (version: number) => void;
  flush: () => void;
} {
  let reported = 0;
  let latest = 0;
  let cancel: (() => void) | null = null;
  const flush = () => {
    cancel?.();
    cancel = null;
    if (latest <= reported) return;
    mark(latest, reported === 0);
    reported = latest;
  };
  return {
    reached(version) {
      latest = Math.max(latest, version);
      if (reported === 0) flush();
      else if (latest > reported) cancel ??= later(flush, readingPause);
    },
    flush,
  };
}
