/**
 * The most decoded update bytes in an append of several events. Encoded as base64 with their
 * envelope, they stay below one megabyte, the request limit of the embedded backend and of many
 * proxies.
 */
export const appendBytes = 512 * 1024;

/** Splits events, in order, into as few appends as the limit allows. */
export function inAppends<T extends { update?: Uint8Array | null }>(events: readonly T[]): T[][] {
  const appends: T[][] = [];
  let bytes = Infinity;
  for (const event of events) {
    const size = event.update?.length ?? 0;
    bytes += size;
    if (bytes <= appendBytes) appends.at(-1)?.push(event);
    else {
      appends.push([event]);
      bytes = size;
    }
  }
  return appends;
}
