/**
 * Returns the URL hash that names a block: the Yjs id of its element, which no later edit changes.
 * A history's block key joins the same id with a colon, which URLs would escape.
 */
export function hashOfBlock(client: number, clock: number): string {
  return `${client}-${clock}`;
}

const named = /^#?(\d{1,10})-(\d{1,15})$/;

/** Returns the Yjs id in a block's hash, or null for any other hash. */
export function blockInHash(hash: string): { client: number; clock: number } | null {
  const [, client, clock] = named.exec(hash) ?? [];
  return client === undefined || clock === undefined
    ? null
    : { client: Number(client), clock: Number(clock) };
}

/** Returns a history's key for the block that a hash names, or null for any other hash. */
export function blockKeyInHash(hash: string): string | null {
  const id = blockInHash(hash);
  return id && `${id.client}:${id.clock}`;
}
