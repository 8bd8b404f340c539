/** The shortest time between two reports of the read version, in ms. */
const readingPause = 10_000;

type Input = {
  /** Records that a version was read. `opened` is true for the first report after opening. */
  mark: (version: number, opened: boolean) => void;
  later: (work: () => void, ms: number) => () => void;
};

/**
 * Records how far a document was read: at once when it is opened, then at intervals, and when the
 * reader leaves.
 */
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
