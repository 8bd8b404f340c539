/** One copy-in: event `version` of `into` brought in the state of `from` at version `at`. */
export type CopyInRow = {
  from: string;
  at: number;
  into: string;
  version: number;
  kind: "fork" | "merge" | "import";
  redacted: boolean;
};

/**
 * A document that holds another document's words, how it received them, and whether that is certain
 * or only possible.
 */
export type Holder = { document: string; kind: CopyInRow["kind"] | "source"; sure: boolean };

/**
 * Returns the other documents with the words of these versions of a document: the documents that it
 * was copied to, transitively, and those that it copied from. A redacted copy-in passes no words
 * on.
 */
export function holdersOf(
  copyIns: readonly CopyInRow[],
  { document, versions }: { document: string; versions: readonly number[] },
): Holder[] {
  const whole = copyIns.filter(({ redacted }) => !redacted);
  const since = new Map([[document, Math.min(...versions)]]);
  const kinds = new Map<string, Holder["kind"]>();
  const sources = whole.filter(
    ({ into, version }) => into === document && versions.includes(version),
  );
  for (const { from, at } of sources) {
    since.set(from, Math.min(since.get(from) ?? at, at));
    kinds.set(from, "source");
  }
  for (let found = true; found;) {
    found = false;
    for (const { from, at, into, version, kind } of whole) {
      if (
        (since.get(from) ?? Number.POSITIVE_INFINITY) > at ||
        (since.get(into) ?? Number.POSITIVE_INFINITY) <= version
      )
        continue;
      since.set(into, version);
      if (!kinds.has(into)) kinds.set(into, kind);
      found = true;
    }
  }
  const sure = [...kinds]
    .filter(([id]) => id !== document)
    .map(([id, kind]): Holder => ({ document: id, kind, sure: true }));
  const may = possible(whole, sources).filter(
    ({ document: id }) => id !== document && !kinds.has(id),
  );
  return [...sure, ...may];
}

/**
 * Returns the documents that a source's words may have come from in turn, and those that they may
 * have been copied to since. The time at which the words entered the source is unknown.
 */
function possible(copyIns: readonly CopyInRow[], sources: readonly CopyInRow[]): Holder[] {
  const kinds = new Map<string, Holder["kind"]>();
  const bounds = new Map<string, number>();
  const reach = (id: string, bound: number, kind: Holder["kind"]) => {
    if ((bounds.get(id) ?? -1) >= bound) return false;
    bounds.set(id, bound);
    if (!kinds.has(id)) kinds.set(id, kind);
    return true;
  };
  for (const { from, at } of sources) reach(from, at, "source");
  const spread = (next: () => boolean) => {
    while (next());
  };
  spread(
    () =>
      copyIns.filter(
        ({ into, version, from, at }) =>
          version <= (bounds.get(into) ?? -1) && reach(from, at, "source"),
      ).length > 0,
  );
  spread(
    () =>
      copyIns.filter(
        ({ from, into, kind }) => kinds.has(from) && !kinds.has(into) && reach(into, 0, kind),
      ).length > 0,
  );
  return [...kinds].map(([document, kind]) => ({ document, kind, sure: false }));
}
