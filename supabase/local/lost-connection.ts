type Thrown = Partial<Record<"name" | "message" | "stack" | "code", string | undefined>>;

/**
 * Whether this is what postgres.js (3.4.9) throws, where nobody can catch it, when a connection is
 * lost in the same turn in which something was to be sent: whoever asked is told of the loss as well.
 */
export function isWriteToLostConnection({ name, message, stack }: Thrown): boolean {
  const isAbout = name === "TypeError" && message?.includes("'write'") === true;
  return isAbout && /^\s*at \S*nextWrite\b/m.test(stack ?? "");
}

/**
 * Whether this is a query refused by a database that recovers. Where nobody can catch it, it is one
 * that postgres.js (3.4.9) makes for itself: whoever asked is told as well.
 */
export function isOfRecoveringDatabase({ name, code }: Thrown): boolean {
  return name === "PostgresError" && code === "57P03";
}
