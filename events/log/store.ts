import type { SupabaseClient } from "@supabase/supabase-js";
import { parseRow, parseRuling, toWire } from "@/events/core/envelope";
import type { Proposal, RawProposal, Ruled, Ruling } from "@/events/core/envelope";
import { pageRows } from "@/events/core/pages";
import { personHeader } from "@/supabase/page-person";
import { parseRefusal } from "./refusal";
import type { Refusal } from "./refusal";

export type Appended = { ok: true; rulings: Ruling[] } | { ok: false; refusal: Refusal };

/** The log as its clients see it. A refusal is a result; every other failure throws StoreFault. */
export type Store = {
  /**
   * Appends all proposals or none. An `expectedVersion` of null skips the check; 0 begins a stream.
   * `actor` is the author of the proposals, by default the page's own account. The database refuses
   * the proposals under any other session.
   */
  append(
    stream: string,
    expectedVersion: number | null,
    proposals: Proposal[],
    actor?: string,
  ): Promise<Appended>;
  /**
   * Appends in the same tick by a keep-alive request. Returns null where that is impossible. The
   * same events may be appended again under the same ids.
   */
  appendAtOnce?(
    stream: string,
    proposals: readonly Proposal[],
    actor?: string,
  ): Promise<Appended> | null;
  /** Reads the events after version `after`, oldest first, at most `max` (default: all). */
  read(stream: string, after: number, max?: number): Promise<Ruled[]>;
  /**
   * Reads the events of a workspace and its documents after feed position `after`, oldest first, at
   * most `max`.
   */
  feed(workspace: string, after: number, max?: number): Promise<Ruled[]>;
  /** Reads as much of the stream's history as segments hold: a cache, faster than `read`. */
  segments?(stream: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Resolves to the stream's Realtime topic in its current epoch, or null without access. */
  topic(stream: string): Promise<string | null>;
};

/** A log that sends every request and leaves validation to the database. */
export type RawStore = Omit<Store, "append" | "appendAtOnce"> & {
  append(
    stream: string,
    expectedVersion: number | null,
    proposals: RawProposal[],
    actor?: string,
  ): Promise<Appended>;
};

/**
 * A failure of the network or server, not a ruling. `status` is 0 if no answer arrived. `foreign`
 * marks an answer that a proxy or a captive portal gave in place of the backend.
 */
export class StoreFault extends Error {
  override name = "StoreFault";
  readonly status: number;
  readonly foreign: boolean;
  readonly retryable: boolean;
  constructor(message: string, status: number, foreign = false) {
    super(message);
    this.status = status;
    this.foreign = foreign;
    this.retryable = [0, 408, 429].includes(status) || status >= 500 || (foreign && status !== 413);
  }
}

/** Returns the fault in an answer. Only the backend gives each error a code. */
export function faultOf(error: { message: string; code?: string }, status: number): StoreFault {
  return new StoreFault(error.message, status, status !== 0 && !error.code);
}

// The database ends a page early after this many bytes of bodies and updates. A short page is
// therefore the last one only if it is smaller than this.
const pageBytes = 4 * 1024 * 1024;
const textEncoder = new TextEncoder();

const bytesOf = (row: Ruled) =>
  (row.bodyText === null ? 0 : textEncoder.encode(row.bodyText).length) + (row.update?.length ?? 0);

type Answer = {
  data: unknown;
  error: { message: string; details?: string | null; hint?: string | null; code?: string } | null;
  status: number;
};

function listed<T>(answer: Answer, read: (row: unknown) => T): T[] {
  if (answer.error) throw faultOf(answer.error, answer.status);
  if (!Array.isArray(answer.data))
    throw new StoreFault("the response is not an array", answer.status, true);
  return answer.data.map(read);
}

/** Returns the result in an answer of `append_events`. Throws the fault in it. */
export function appendedOf(answer: Answer): Appended {
  const refusal = answer.error && parseRefusal(answer.error);
  if (refusal) return { ok: false, refusal };
  return { ok: true, rulings: listed(answer, parseRuling) };
}

/**
 * Returns the result of an append under its author's session. Throws if the session now belongs to
 * another person.
 */
export function underOwnSession(answer: Appended): Appended {
  if (!answer.ok && answer.refusal.reason === "other-account")
    throw new StoreFault(answer.refusal.detail, 403);
  return answer;
}

async function allPages(
  after: number,
  max: number,
  page: (after: number, count: number) => PromiseLike<Answer>,
  orderOf: (row: Ruled) => number,
): Promise<Ruled[]> {
  const rows: Ruled[] = [];
  let last = after;
  while (rows.length < max) {
    const limit = Math.min(pageRows, max - rows.length);
    const got = listed(await page(last, limit), parseRow);
    for (const row of got) {
      rows.push(row);
      last = orderOf(row);
    }
    const cutShort = got.length > 0 && got.reduce((sum, row) => sum + bytesOf(row), 0) >= pageBytes;
    if (got.length < limit && !cutShort) break;
  }
  return rows;
}

/**
 * Creates the store of a Supabase client, with that client's identity. `person` returns the page's
 * account, if any.
 */
export function supabaseStore(
  client: Pick<SupabaseClient, "rpc">,
  person: () => string | null = () => null,
): RawStore {
  return {
    async append(stream, expectedVersion, proposals, actor = person() ?? undefined) {
      const call = client.rpc("append_events", {
        stream,
        expected_version: expectedVersion,
        events: proposals.map(toWire),
        ...(actor !== undefined && { actor }),
      });
      const answer: Answer = await (actor === undefined
        ? call
        : call.setHeader(personHeader, actor));
      return appendedOf(answer);
    },
    read: (stream, after, max = Infinity) =>
      allPages(
        after,
        max,
        (after_version, max_count) =>
          client.rpc("read_events", { stream, after_version, max_count }),
        (row) => row.version,
      ),
    feed: (workspace, after, max = Infinity) =>
      allPages(
        after,
        max,
        (after_position, max_count) =>
          client.rpc("read_feed", { workspace, after_position, max_count }),
        (row) => row.position ?? 0,
      ),
    async topic(stream) {
      const answer: Answer = await client.rpc("stream_topic", { stream });
      if (answer.error) throw faultOf(answer.error, answer.status);
      return typeof answer.data === "string" ? answer.data : null;
    },
  };
}
