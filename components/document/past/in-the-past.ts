const revisionAddress = /^\d{1,15}(\.\d{1,15})?$/;

/**
 * Whether an address asks for a revision or a range of the history, or for all of it to be played.
 */
export function inThePast(query: URLSearchParams): boolean {
  return (
    query.get("play") === "1" ||
    ["at", "from", "compare"].some((name) => revisionAddress.test(query.get(name) ?? ""))
  );
}
