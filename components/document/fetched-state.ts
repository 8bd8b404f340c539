import { fromBase64 } from "@/events/core/bytes/base64";
import type { DocumentState } from "@/events/crdt/validation/document-state";
import type { DocumentSnapshot } from "./document-snapshot";

type Brought = Pick<DocumentSnapshot, "version" | "owners" | "state">;

/**
 * Returns the state that the page streams for its editor, or fetches it separately. Rejects if the
 * page ended early.
 */
export async function broughtState(
  { version, owners, state: coming }: Brought,
  documentId: string,
): Promise<DocumentState> {
  const brought = await coming;
  if (brought === null) return stateApart(documentId);
  const { state, since } = brought;
  return {
    version,
    state: await inflated(fromBase64(state)),
    since: since.map(fromBase64),
    owners,
  };
}

async function stateApart(documentId: string): Promise<DocumentState> {
  const response = await fetch(`/d/${documentId}/state`);
  if (!response.ok) throw new Error(`The document state could not be loaded: ${response.status}`);
  const { unpackApart } = await import("@/events/crdt/validation/state-parts");
  const { state, ...rest } = unpackApart(new Uint8Array(await response.arrayBuffer()));
  return { ...rest, state: await inflated(state) };
}

async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const whole = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(whole).arrayBuffer());
}
