import { writeUpdate } from "./yjs-update";
import type { Range } from "./yjs-update";

/** Creates one Yjs update that deletes these ranges. */
export function deletionOf(ranges: Range[]): Uint8Array {
  const clients = new Map<number, { clock: number; length: number }[]>();
  for (const { client, clock, length } of ranges) {
    const known = clients.get(client);
    if (known) known.push({ clock, length });
    else clients.set(client, [{ clock, length }]);
  }
  return writeUpdate({
    blocks: [],
    deletes: [...clients].map(([client, ranges]) => ({ client, ranges })),
  });
}
