/**
 * The most decoded bytes of updates that one append carries if it has more than one event: as
 * base64, with what is around them, they stay below the megabyte that the embedded backend and many
 * a proxy take as a request.
 */
export const appendBytes = 512 * 1024;

/** What events carry, in as few appends as it fits into, in its order. */
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
