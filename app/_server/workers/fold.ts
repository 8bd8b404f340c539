import { appendAll } from "@/events/core/append-all";
import type { SupabaseClient } from "@supabase/supabase-js";
import { encodeStateAsUpdate, type Doc } from "yjs";
import { bindClients } from "@/events/crdt/validation/validation";
import type { DocumentState } from "@/events/crdt/validation/document-state";
import type { Ruled } from "@/events/core/envelope";
import { limits } from "@/events/core/limits";
import { loadOf } from "@/events/crdt/payload/payload-load";
import {
  findSnapshot,
  wholeSnapshot,
  type Snapshot,
  type Tail,
} from "@/events/crdt/validation/snapshot";
import { type Store, supabaseStore } from "@/events/log/store";
import { LogReader } from "@/machines/sync/log/log-reader";
import type { LogReading } from "@/machines/sync/channel/reading";
import { TooHeavy, type Tools } from "./task";

/** How many rows are read at once, and how much may come of those that are folded at once. */
const pageRows = 200;
const sliceBytes = limits.payload_bytes;
/** The event that begins a document brings no text, so this version can always be folded. */
const firstVersion = 1;
/** Beyond this a document is no work for where others wait for their own small ones. */
const light = { state: 4 * 1024 * 1024, tail: 1024 * 1024 };
/**
 * What a document may come to in memory. What was recorded under the limits stays below: a state
 * says more of a struct than a payload does, and a deletion parts one into three.
 */
const most = { bytes: limits.document_bytes * 3, pieces: limits.document_pieces * 2 };
/**
 * The edits behind a snapshot are kept apart as long as they are few: making one state of both
 * takes as long as rendering.
 */
const fewBytes = 256 * 1024;

export type FoldRequest = { document: string; at: number | null; light: boolean };

/** A document folded from its newest snapshot and what the log has behind that. */
export type Folded = {
  confirmed: LogReader["confirmed"];
  snapshot: Snapshot | null;
  owners: [client: number, userId: string][];
  schema: number;
  tail: Tail;
  /** The hash of the last row that was read; null where nothing was. */
  head: string | null;
  /** The edits behind the snapshot; null where they are too many, or do not continue it. */
  since: Uint8Array[] | null;
  /** The version behind which this document cannot be folded, and whether that was found out just now. */
  stoppedAt: number | null;
  stoppedNow: boolean;
  /** Whether that is for its time: how long it takes depends on the machine, too. */
  timed: boolean;
  /** Whether it took so long that the rest was left to the next who fold it. */
  late: boolean;
  /** How much of what it may hold the document holds, from 0 to 1. */
  fullness: number;
};

/** Hands the rows of a stream to a reader by slices, each of which comes to a few megabytes at most. */
class Slices {
  private readonly store: Pick<Store, "read">;
  private readonly end: number;
  private readonly most: number;
  private readonly begin: () => void;
  private page: Ruled[] = [];
  private charged = 0;
  /** Whether there was nothing more to be read. */
  ended = false;

  /** `begin` is called before rows are handed out to be folded. */
  constructor(store: Pick<Store, "read">, end: number, most: number, begin: () => void) {
    this.store = store;
    this.end = end;
    this.most = most;
    this.begin = begin;
  }

  async read(stream: string, after: number, count?: number): Promise<Ruled[]> {
    // What is looked at again is no reading on.
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

/** The bytes and structs of a document's state. */
export function loadOfDoc(doc: Doc): { bytes: number; pieces: number } {
  let pieces = 0;
  for (const structs of doc.store.clients.values()) pieces += structs.length;
  return { bytes: encodeStateAsUpdate(doc).length, pieces };
}

/** Sums up what a fold takes in, and measures what is left of it whenever that may be too much. */
class Gauge {
  /** The last version up to which the document is within what it may hold. */
  fits = 0;
  private bytes: number;
  private pieces: number;

  constructor(snapshot: Snapshot | null) {
    this.bytes = snapshot?.state.length ?? 0;
    this.pieces = 0;
    this.fits = snapshot?.version ?? 0;
  }

  /** Whether the document has come to more than it may. */
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

  /** Whether it has come to more than a document may hold, as far as that is known without measuring it. */
  get isFull(): boolean {
    return this.bytes > limits.document_bytes;
  }

  private add(bytes: number, pieces: number): void {
    this.bytes += bytes;
    this.pieces += pieces;
  }
}

/**
 * Folds a document with the rights of a client: of who reads it, or the service's for who may read
 * its text and not its log. Throws TooHeavy where that was to be light and is not. A document that
 * comes to more than it may is folded as far as it does not.
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
    // The rest is read by whoever opens it, and by the next who folds it.
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

/** The snapshot that a fold is worth. */
export function snapshotOf({ confirmed, owners, schema }: Folded): Snapshot {
  return { version: confirmed.version, state: encodeStateAsUpdate(confirmed.doc), owners, schema };
}

/** The state of a fold as its parts: the snapshot's own bytes and what came behind it; or a state made for it. */
export function partsOf({
  confirmed,
  snapshot,
  since,
}: Folded): Required<Pick<DocumentState, "state" | "since">> {
  if (snapshot && since) return { state: snapshot.state, since };
  return { state: encodeStateAsUpdate(confirmed.doc), since: [] };
}
