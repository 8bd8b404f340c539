import { writeVarUint } from "lib0/encoding";
import * as Y from "yjs";
import type { Range } from "../yjs-update";

/**
 * Returns an update with the structs that a client has written since `clock` and the deletions
 * `deletes`, while the transaction is still running. Yjs itself emits an update only at the end,
 * for the whole transaction.
 */
export function updateSince(
  doc: Y.Doc,
  client: number,
  clock: number,
  deletes: readonly Range[],
): Uint8Array {
  const encoder = new Y.UpdateEncoderV1();
  const structs = doc.store.clients.get(client) ?? [];
  const first =
    Y.getState(doc.store, client) > clock ? Y.findIndexSS(structs, clock) : structs.length;
  writeVarUint(encoder.restEncoder, first < structs.length ? 1 : 0);
  if (first < structs.length) {
    writeVarUint(encoder.restEncoder, structs.length - first);
    encoder.writeClient(client);
    writeVarUint(encoder.restEncoder, clock);
    for (let index = first; index < structs.length; index += 1) structs[index]?.write(encoder, 0);
  }
  const clients = byClient(deletes);
  writeVarUint(encoder.restEncoder, clients.size);
  for (const [of, ranges] of clients) {
    encoder.resetDsCurVal();
    writeVarUint(encoder.restEncoder, of);
    writeVarUint(encoder.restEncoder, ranges.length);
    for (const range of ranges) {
      encoder.writeDsClock(range.clock);
      encoder.writeDsLen(range.length);
    }
  }
  return encoder.toUint8Array();
}

function byClient(ranges: readonly Range[]): Map<number, Range[]> {
  const clients = new Map<number, Range[]>();
  for (const range of ranges) {
    const known = clients.get(range.client);
    if (known) known.push(range);
    else clients.set(range.client, [range]);
  }
  return clients;
}
