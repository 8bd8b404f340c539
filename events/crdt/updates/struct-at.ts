import type * as Y from "yjs";

/** Returns the struct with a client's clock, or undefined if the document has none. */
export function structAt(doc: Y.Doc, client: number, clock: number): Y.AbstractStruct | undefined {
  const structs = doc.store.clients.get(client) ?? [];
  let low = 0;
  let high = structs.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const struct = structs[middle];
    if (!struct) return undefined;
    if (clock < struct.id.clock) high = middle - 1;
    else if (clock >= struct.id.clock + struct.length) low = middle + 1;
    else return struct;
  }
  return undefined;
}
