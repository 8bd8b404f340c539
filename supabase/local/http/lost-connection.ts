type Thrown = Partial<Record<"name" | "message" | "stack" | "code", string | undefined>>;

/**
 * Whether this is the uncatchable error of postgres.js (3.4.9) when a connection is lost in the
 * tick of a pending write. The unsent query fails separately.
 */
export function isWriteToLostConnection({ name, message, stack }: Thrown): boolean {
  const isAbout = name === "TypeError" && message?.includes("'write'") === true;
  return isAbout && /^\s*at \S*nextWrite\b/m.test(stack ?? "");
}

/**
 * Whether this is a query refused by a recovering database. If uncaught, it is a query that
 * postgres.js (3.4.9) itself sent. The caller's query fails separately.
 */
export function isOfRecoveringDatabase({ name, code }: Thrown): boolean {
  return name === "PostgresError" && code === "57P03";
}
