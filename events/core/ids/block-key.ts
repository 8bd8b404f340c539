/**
 * How an address names a block of a text, behind its hash: by the Yjs id of its element, which
 * stays the same whatever others write. It is that of a block's key in a history, with a sign that
 * addresses are not written with differently.
 */
export function hashOfBlock(client: number, clock: number): string {
  return `${client}-${clock}`;
}

const named = /^#?(\d{1,10})-(\d{1,15})$/;

/** The id of the element that a hash names; null of any other. */
export function blockInHash(hash: string): { client: number; clock: number } | null {
  const [, client, clock] = named.exec(hash) ?? [];
  return client === undefined || clock === undefined
    ? null
    : { client: Number(client), clock: Number(clock) };
}

/** The key that a history gives the block that a hash names; null of any other hash. */
export function blockKeyInHash(hash: string): string | null {
  const id = blockInHash(hash);
  return id && `${id.client}:${id.clock}`;
}
