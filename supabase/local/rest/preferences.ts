/**
 * Makes a REST request safe for callers who may not see all rows. `planned` and `estimated` counts
 * are based on statistics over all rows, so every count becomes an exact count of the visible rows.
 * The service is exempt.
 */
export function withExactCount(headers: Headers): void {
  const prefer = headers.get("prefer");
  if (prefer === null || !/count/i.test(prefer)) return;
  const others = prefer.split(",").filter((part) => !/count/i.test(part));
  const asksForNone = prefer
    .split(",")
    .every((part) => !/count/i.test(part) || /^\s*count\s*=\s*none\s*$/.test(part));
  headers.set(
    "prefer",
    [...others, ...(asksForNone ? [] : ["count=exact"])]
      .map((part) => part.trim())
      .filter(Boolean)
      .join(", "),
  );
}

/** Whether a request asks for the query plan instead of the result. */
export function asksForPlan(headers: Headers): boolean {
  return /vnd\.pgrst\.plan/i.test(headers.get("accept") ?? "");
}
