import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";
import type { PackedState } from "@/components/document/document-snapshot";
import { stateLevel } from "@/events/crdt/validation/state-parts";
import type { DocumentState } from "@/events/crdt/validation/document-state";

const deflated = promisify(deflateRaw);
/** The largest state inlined in a page, in base64 characters. A larger state is fetched later. */
const most = 1_500_000;

/** Compresses a state on a libuv thread. Resolves to null if the state is too large to inline. */
export async function packState({
  state,
  since,
}: Required<Pick<DocumentState, "state" | "since">>): Promise<PackedState | null> {
  const packed = await deflated(state, { level: stateLevel });
  const small = since.map((update) => Buffer.from(update).toString("base64"));
  if (small.reduce((sum, { length }) => sum + length, (packed.length * 4) / 3) > most) return null;
  return { state: packed.toString("base64"), since: small };
}
