import * as z from "zod/mini";
import { carriedFrom } from "@/events/crdt/validation/validation";
import type { Rows } from "@/events/read-models/rows";

/** The most source documents queried per call. */
const mostAsked = 16;

const clients = z.array(
  z.object({ clientId: z.number(), actorId: z.string(), source: z.optional(z.string()) }),
);

/**
 * Returns the people who wrote under the Yjs client ids that a fork, a merge or an import brought,
 * found by following source documents. Documents that the caller may not read contribute none.
 */
export async function carriedWriters(
  rows: Pick<Rows, "rpc">,
  owners: readonly (readonly [clientId: number, owner: string])[],
): Promise<string[]> {
  const asked = new Map<string, Set<number>>();
  const ask = (stream: string, clientId: number) => {
    const known = asked.get(stream);
    if (known) known.add(clientId);
    else if (asked.size < mostAsked) asked.set(stream, new Set([clientId]));
  };
  for (const [clientId, owner] of owners) {
    const stream = carriedFrom(owner);
    if (stream !== null) ask(stream, clientId);
  }
  const writers = new Set<string>();
  // Iterating a Map includes entries added during the loop.
  for (const [stream, wanted] of asked) {
    const { data, error } = await rows.rpc("read_clients", { stream });
    if (error) continue;
    for (const { clientId, actorId, source } of clients.parse(data ?? [])) {
      if (!wanted.has(clientId)) continue;
      if (source === undefined) writers.add(actorId);
      else ask(source, clientId);
    }
  }
  return [...writers];
}
