const revisionAddress = /^\d{1,15}(\.\d{1,15})?$/;

/** Whether a URL requests a revision, a range of the history, or its playback. */
export function inThePast(query: URLSearchParams): boolean {
  return (
    query.get("play") === "1" ||
    ["at", "from", "compare"].some((name) => revisionAddress.test(query.get(name) ?? ""))
  );
}
