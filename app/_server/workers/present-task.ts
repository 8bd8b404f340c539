import { deflateRawSync } from "node:zlib";
import type { SupabaseClient } from "@supabase/supabase-js";
import { carriedWriters } from "./carried-writers";
import { ownWriters } from "./writers/own-writers";
import type { DocumentState } from "@/events/crdt/validation/document-state";
import { writeSnapshot } from "@/events/crdt/validation/snapshot";
import { StoreFault } from "@/events/log/store";
import { packApart, stateLevel } from "@/events/crdt/validation/state-parts";
import { beginningHtml } from "@/events/content/static-html";
import { fold, loadOfDoc, partsOf, snapshotOf } from "./fold";
import type { Folded, FoldRequest } from "./fold";
import type { Tools } from "./task";
import { writeStop } from "./write-stop";

/** The number of letters that a page includes before its script loads. */
export const firstLetters = 400_000;
/** The limits above which a state is fetched after the page: its size, and its owners. */
const stateMost = 8_000_000;
const ownersMost = 10_000;

/** The part of a document that a page includes for a reader who may see the log. */
type Present = {
  html: string;
  /** Whether `html` is the complete text. */
  whole: boolean;
  /** The state in parts, or null if it is too large to include. */
  parts: Required<Pick<DocumentState, "state" | "since">> | null;
  version: number;
  owners: [client: number, userId: string][];
  schema: number;
  writers: string[];
  tail: Folded["tail"];
  stoppedAt: number | null;
  fullness: number;
};

/**
 * Records a fold that did not reach the end. A stop keeps the next folds from trying again. A
 * snapshot lets the next fold continue from there.
 */
export async function rememberEnd(
  folded: Folded,
  document: string,
  { service }: Tools,
): Promise<void> {
  const client = service();
  const { stoppedNow, stoppedAt, timed, late, head } = folded;
  if (!client || !(stoppedNow || late || stoppedAt !== null)) return;
  // If a thread was ended, the stop is already recorded but the state is not. Without rows after
  // the snapshot, there is no new state to store.
  if (head !== null) await writeSnapshot(client, document, snapshotOf(folded), { head });
  if (stoppedNow)
    await (timed
      ? writeStop(client, document, folded.confirmed.version)
      : writeLoad(client, document, folded));
}

/** Stores the size of a folded document. */
export async function writeLoad(
  client: SupabaseClient,
  document: string,
  { confirmed, stoppedAt }: Folded,
): Promise<void> {
  const { bytes, pieces } = loadOfDoc(confirmed.doc);
  const { error, status } = await client.rpc("write_load", {
    stream: document,
    version: confirmed.version,
    bytes,
    pieces,
    stopped: stoppedAt !== null,
  });
  if (error) throw new StoreFault(error.message, status);
}

/** Folds and renders a document for its page. */
export async function present(
  client: SupabaseClient,
  request: FoldRequest,
  tools: Tools,
): Promise<Present> {
  const folded = await fold(client, request, tools);
  await rememberEnd(folded, request.document, tools);
  const { confirmed, owners, schema, tail, stoppedAt } = folded;
  const { html, whole } = beginningHtml(confirmed.doc.getXmlFragment("default"), firstLetters);
  const parts = partsOf(folded);
  const fits = stoppedAt === null && parts.state.length <= stateMost && owners.length <= ownersMost;
  const writers = await Promise.all([
    ownWriters(client, request.document, owners),
    carriedWriters(client, owners),
  ]);
  return {
    html,
    whole,
    parts: fits ? parts : null,
    version: confirmed.version,
    owners: fits ? owners : [],
    schema,
    writers: [...new Set(writers.flat())],
    tail,
    stoppedAt,
    fullness: folded.fullness,
  };
}

/** Returns the state of a document that was too large to include in its page. */
export async function stateApart(
  client: SupabaseClient,
  request: FoldRequest,
  tools: Tools,
): Promise<Uint8Array> {
  const folded = await fold(client, request, tools);
  await rememberEnd(folded, request.document, tools);
  const { state, since } = partsOf(folded);
  const { version } = folded.confirmed;
  return packApart({
    version,
    owners: folded.owners,
    state: deflateRawSync(state, { level: stateLevel }),
    since,
  });
}
