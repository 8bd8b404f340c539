/**
 * Makes a REST request safe to answer for those whose rows are not all rows. `planned` and
 * `estimated` counts come from statistics of what everybody wrote, so for others than the service
 * every count is the exact one of what they may see.
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

/** Tells whether a request asks how the database would answer instead of for the answer. */
export function asksForPlan(headers: Headers): boolean {
  return /vnd\.pgrst\.plan/i.test(headers.get("accept") ?? "");
}
