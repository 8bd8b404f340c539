import type { SupabaseClient } from "@supabase/supabase-js";
import {
  parseRow,
  parseRuling,
  toWire,
  type Proposal,
  type RawProposal,
  type Ruled,
  type Ruling,
} from "@/events/core/envelope";
import { pageRows } from "@/events/core/pages";
import { personHeader } from "@/supabase/page-person";
import { parseRefusal, type Refusal } from "./refusal";

export type Appended = { ok: true; rulings: Ruling[] } | { ok: false; refusal: Refusal };

/** The log as its clients see it. Refusals are answers; everything else that goes wrong throws StoreFault. */
export type Store = {
  /**
   * Appends all proposals or none; `expectedVersion` null does not ask, 0 begins a stream. `actor` is the person who made
   * them, without it the one whose page this is: under anybody else's session they are refused.
   */
  append(
    stream: string,
    expectedVersion: number | null,
    proposals: Proposal[],
    actor?: string,
  ): Promise<Appended>;
  /**
   * The same in the turn in which it is called, by a request that outlives the page; null where
   * that cannot be. What it sends may be appended again under the same ids.
   */
  appendAtOnce?(
    stream: string,
    proposals: readonly Proposal[],
    actor?: string,
  ): Promise<Appended> | null;
  /** The events after version `after`, oldest first, at most `max` (without it: all of them). */
  read(stream: string, after: number, max?: number): Promise<Ruled[]>;
  /** The events of a workspace and its documents after position `after`, oldest first, at most `max`. */
  feed(workspace: string, after: number, max?: number): Promise<Ruled[]>;
  /** The stream's history in segments, as far as there are some: a cache, quicker than `read`. */
  segments?(stream: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** The name of the stream's channel in its present epoch; null means no access. */
  topic(stream: string): Promise<string | null>;
};

/** A log that takes whatever it is sent and leaves the rest to the database. */
export type RawStore = Omit<Store, "append" | "appendAtOnce"> & {
  append(
    stream: string,
    expectedVersion: number | null,
    proposals: RawProposal[],
    actor?: string,
  ): Promise<Appended>;
};

/**
 * The network or the server failed: not a ruling. `status` is 0 when no answer came; `foreign` where
 * the answer is not the backend's but that of a proxy, or of a network's login page.
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

/** The fault that an answer tells of. The backend names every error by a code; nobody else does. */
export function faultOf(error: { message: string; code?: string }, status: number): StoreFault {
  return new StoreFault(error.message, status, status !== 0 && !error.code);
}

// The database ends a page early after this many bytes of body and update, so a short page is the
// last one only below it.
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
    throw new StoreFault("the answer is not a list", answer.status, true);
  return answer.data.map(read);
}

/** What an answer of `append_events` says; throws the fault that it tells of. */
export function appendedOf(answer: Answer): Appended {
  const refusal = answer.error && parseRefusal(answer.error);
  if (refusal) return { ok: false, refusal };
  return { ok: true, rulings: listed(answer, parseRuling) };
}

/** The answer to an append that only its own person may make; throws where the session is another person's by now. */
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

/** The log behind a Supabase client, under that client's identity; `person` is whose page it is, where there is one. */
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
