import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";
import type { PackedState } from "@/components/document/document-snapshot";
import { stateLevel } from "@/events/crdt/validation/state-parts";
import type { DocumentState } from "@/events/crdt/validation/document-state";

const deflated = promisify(deflateRaw);
/** A state that takes more than this, as base64, is fetched behind the page. */
const most = 1_500_000;

/** Packs a state for a page, on another thread than the one that renders it; null where it is too large for a page. */
export async function packState({
  state,
  since,
}: Required<Pick<DocumentState, "state" | "since">>): Promise<PackedState | null> {
  const packed = await deflated(state, { level: stateLevel });
  const small = since.map((update) => Buffer.from(update).toString("base64"));
  if (small.reduce((sum, { length }) => sum + length, (packed.length * 4) / 3) > most) return null;
  return { state: packed.toString("base64"), since: small };
}
