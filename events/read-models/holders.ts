/**
 * One event by which a document got something from another: a state of `from` at version `at` came
 * into `into` by its event `version`.
 */
export type CopyInRow = {
  from: string;
  at: number;
  into: string;
  version: number;
  kind: "fork" | "merge" | "import";
  redacted: boolean;
};

/** A document that holds words of another one, how it came to them, and whether that is sure or only may be. */
export type Holder = { document: string; kind: CopyInRow["kind"] | "source"; sure: boolean };

/**
 * The other documents that hold words which a document holds by events of these versions: those
 * that it carried them to, on and on, and those that it had them from. What was redacted where it
 * arrived carries nothing.
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
 * Where the words of a source may come from in turn, and where else they may have gone since:
 * nobody knows when they came into it.
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
