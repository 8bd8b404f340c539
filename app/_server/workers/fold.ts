import { appendAll } from "@/events/core/append-all";
import type { SupabaseClient } from "@supabase/supabase-js";
import { encodeStateAsUpdate } from "yjs";
import type { Doc } from "yjs";
import { bindClients } from "@/events/crdt/validation/validation";
import type { DocumentState } from "@/events/crdt/validation/document-state";
import type { Ruled } from "@/events/core/envelope";
import { limits } from "@/events/core/limits";
import { loadOf } from "@/events/crdt/payload/payload-load";
import { findSnapshot, wholeSnapshot } from "@/events/crdt/validation/snapshot";
import type { Snapshot, Tail } from "@/events/crdt/validation/snapshot";
import { supabaseStore } from "@/events/log/store";
import type { Store } from "@/events/log/store";
import { LogReader } from "@/machines/sync/log/log-reader";
import type { LogReading } from "@/machines/sync/channel/reading";
import { TooHeavy } from "./task";
import type { Tools } from "./task";

/** The rows read per request, and the bytes of updates folded at once. */
const pageRows = 200;
const sliceBytes = limits.payload_bytes;
/** A version that can always be folded: a document's first event has no text. */
const firstVersion = 1;
/** The limits in bytes above which a fold leaves the queue of small documents. */
const light = { state: 4 * 1024 * 1024, tail: 1024 * 1024 };
/**
 * The limits of a document in memory. Everything recorded within the limits of the log stays below:
 * a state stores more per struct than a payload, and a deletion can split one struct into three.
 */
const most = { bytes: limits.document_bytes * 3, pieces: limits.document_pieces * 2 };
/**
 * The most bytes of updates that stay separate after a snapshot. Merging them into one state takes
 * as long as rendering.
 */
const fewBytes = 256 * 1024;

export type FoldRequest = { document: string; at: number | null; light: boolean };

/** A document folded from its newest snapshot and the log after it. */
export type Folded = {
  confirmed: LogReader["confirmed"];
  snapshot: Snapshot | null;
  owners: [client: number, userId: string][];
  schema: number;
  tail: Tail;
  /** The hash of the last row that was read, or null if none was read. */
  head: string | null;
  /** The updates after the snapshot. Null if they are too large or do not continue the snapshot. */
  since: Uint8Array[] | null;
  /** The version after which this document cannot be folded, and whether this fold found it. */
  stoppedAt: number | null;
  stoppedNow: boolean;
  /** Whether the fold stopped for lack of time, which also depends on the machine. */
  timed: boolean;
  /** Whether the fold ran late and left the rest to a later fold. */
  late: boolean;
  /** The share of the document's limits that is used, from 0 to 1. */
  fullness: number;
};

/** Passes the rows of a stream to a reader in slices of a few megabytes at most. */
class Slices {
  private readonly store: Pick<Store, "read">;
  private readonly end: number;
  private readonly most: number;
  private readonly begin: () => void;
  private page: Ruled[] = [];
  private charged = 0;
  /** Whether the end of the stream was reached. */
  ended = false;

  /** `begin` is called before rows are returned to be folded. */
  constructor(store: Pick<Store, "read">, end: number, most: number, begin: () => void) {
    this.store = store;
    this.end = end;
    this.most = most;
    this.begin = begin;
  }

  async read(stream: string, after: number, count?: number): Promise<Ruled[]> {
    // A read with a count repeats earlier rows, so this read does not advance.
    if (count !== undefined) return this.store.read(stream, after, count);
    if (this.page[0]?.version !== after + 1)
      this.page =
        after < this.end
          ? await this.store.read(stream, after, Math.min(pageRows, this.end - after))
          : [];
    let bytes = 0;
    let rows = 0;
    for (const { update } of this.page) {
      bytes += update ? loadOf(update).bytes : 0;
      if (rows > 0 && bytes > sliceBytes) break;
      this.charged += update ? loadOf(update).bytes : 0;
      rows += 1;
    }
    if (this.charged > this.most) throw new TooHeavy();
    this.ended = rows === 0;
    if (rows > 0) this.begin();
    return this.page.splice(0, rows);
  }
}

/** Returns the size of a document's state in bytes and structs. */
export function loadOfDoc(doc: Doc): { bytes: number; pieces: number } {
  let pieces = 0;
  for (const structs of doc.store.clients.values()) pieces += structs.length;
  return { bytes: encodeStateAsUpdate(doc).length, pieces };
}

/**
 * Estimates a document's size while the document is folded, and measures it when the estimate is
 * too high.
 */
class Gauge {
  /** The last version at which the document is within its limits. */
  fits = 0;
  private bytes: number;
  private pieces: number;

  constructor(snapshot: Snapshot | null) {
    this.bytes = snapshot?.state.length ?? 0;
    this.pieces = 0;
    this.fits = snapshot?.version ?? 0;
  }

  /** Whether the document exceeds its limits in memory. */
  isOver({ rows, accepted }: LogReading, doc: Doc): boolean {
    const came = new Map<number, number>();
    for (const { version, update } of accepted)
      came.set(version, (came.get(version) ?? 0) + update.length);
    for (const { version, update } of rows) {
      const load = update && loadOf(update);
      if (load) this.add(Math.min(load.bytes, came.get(version) ?? 0), load.pieces);
      if (this.bytes <= limits.document_bytes) this.fits = version;
    }
    if (this.bytes <= most.bytes && this.pieces <= most.pieces) return false;
    const { bytes, pieces } = loadOfDoc(doc);
    this.bytes = bytes;
    this.pieces = pieces;
    return bytes > most.bytes || pieces > most.pieces;
  }

  /** Whether the estimated size exceeds the limit of a document. */
  get isFull(): boolean {
    return this.bytes > limits.document_bytes;
  }

  private add(bytes: number, pieces: number): void {
    this.bytes += bytes;
    this.pieces += pieces;
  }
}

/**
 * Folds a document with a client's rights: the reader's, or the service's for readers who may see
 * the text but not the log. Throws TooHeavy if `light` is set and the document is too large. A
 * document that exceeds its limits is folded up to the last version within them.
 */
export async function fold(
  client: SupabaseClient,
  { document, at, light: isLight }: FoldRequest,
  tools: Tools,
): Promise<Folded> {
  const found = await findSnapshot(client, document, at);
  if (isLight && found.size > light.state) throw new TooHeavy();
  const snapshot = await wholeSnapshot(client, document, found);
  const end = Math.min(at ?? Infinity, found.stoppedAt ?? Infinity);
  const begin = () => tools.progress(Math.max(firstVersion, reader.confirmed.version));
  const slices = new Slices(supabaseStore(client), end, isLight ? light.tail : Infinity, begin);
  const reader: LogReader = new LogReader(document, slices, snapshot);
  const owners = new Map(snapshot?.owners);
  const gauge = new Gauge(snapshot);
  const tail: Tail = { events: 0, bytes: 0, snapshot: snapshot?.state.length ?? 0 };
  let late = false;
  let schema = snapshot?.schema ?? 1;
  let head: string | null = null;
  let since: Uint8Array[] | null = snapshot ? [] : null;
  let sinceBytes = 0;
  for (;;) {
    const reading = await reader.read();
    const { rows, accepted, refolded } = reading;
    if (slices.ended) break;
    for (const row of rows) {
      bindClients(row, owners);
      if (row.update) schema = Math.max(schema, row.schema);
      tail.events += 1;
      tail.bytes += row.update?.length ?? 0;
      head = row.hash;
    }
    for (const { update } of accepted) sinceBytes += update.length;
    if (refolded || sinceBytes > fewBytes) since = null;
    if (since)
      appendAll(
        since,
        accepted.map(({ update }) => update),
      );
    tools.progress(reader.confirmed.version);
    const over = gauge.isOver(reading, reader.confirmed.doc);
    if (over || (gauge.isFull && tools.isLate())) {
      reader.confirmed.doc.destroy();
      const whole: Tools = { ...tools, isLate: () => false };
      return {
        ...(await fold(client, { document, at: gauge.fits, light: false }, whole)),
        stoppedAt: gauge.fits,
        stoppedNow: true,
        timed: !over,
      };
    }
    // The rest is read by the browser that opens the document, and by the next fold.
    late = tools.isLate();
    if (late) break;
  }
  const { stoppedAt } = found;
  return {
    confirmed: reader.confirmed,
    snapshot,
    owners: [...owners],
    schema,
    tail,
    head,
    since,
    stoppedAt: at === null || at >= (stoppedAt ?? 0) ? stoppedAt : null,
    stoppedNow: false,
    timed: false,
    late,
    fullness: found.fullness,
  };
}

/** Returns the snapshot of a fold. */
export function snapshotOf({ confirmed, owners, schema }: Folded): Snapshot {
  return { version: confirmed.version, state: encodeStateAsUpdate(confirmed.doc), owners, schema };
}

/**
 * Returns the state of a fold in parts: the snapshot's own bytes and the updates after it, or one
 * newly encoded state.
 */
export function partsOf({
  confirmed,
  snapshot,
  since,
}: Folded): Required<Pick<DocumentState, "state" | "since">> {
  if (snapshot && since) return { state: snapshot.state, since };
  return { state: encodeStateAsUpdate(confirmed.doc), since: [] };
}
