import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "./frames/frame";

type Meta = JsonObject & { phx_ref: string };
export type PresenceState = { [key: string]: { metas: Meta[] } };
export type PresenceDiff = { joins: PresenceState; leaves: PresenceState };

type Tracked = {
  key: string;
  payload: JsonObject;
  meta: Meta;
  person: string | null;
  bytes: number;
};

/** The bytes that references and brackets add to a presence, besides key and payload. */
const envelope = 100;

/**
 * The most bytes of state per topic, and per person in it. A joining client receives the whole
 * state at once. Our own client needs some 150 bytes per tab.
 */
export const mostState = { topic: 1_000_000, person: 100_000 };

/**
 * The presences in one topic. Each owner (a channel) is tracked at most once. Several owners may
 * share a key.
 */
export class Presence<Owner> {
  private readonly tracked = new Map<Owner, Tracked>();
  private readonly bytesOf = new Map<string, number>();
  private byteCount = 0;

  /** Adds the owner or changes its payload; null without a change, 'full' if it does not fit. */
  track(
    owner: Owner,
    key: string,
    payload: JsonObject,
    phxRef: string,
    person: string | null = null,
  ): PresenceDiff | "full" | null {
    const before = this.tracked.get(owner);
    if (before !== undefined && isDeepStrictEqual(before.payload, payload)) return null;
    const bytes =
      Buffer.byteLength(JSON.stringify(payload)) +
      Buffer.byteLength(JSON.stringify(key)) +
      envelope;
    const more = bytes - (before?.bytes ?? 0);
    if (this.byteCount + more > mostState.topic) return "full";
    if (person !== null && (this.bytesOf.get(person) ?? 0) + more > mostState.person) return "full";
    const meta: Meta = { ...payload, phx_ref: phxRef };
    if (before !== undefined) {
      meta.phx_ref_prev = before.meta.phx_ref;
      this.count(before, -1);
    }
    const tracked = { key, payload, meta, person, bytes };
    this.count(tracked, 1);
    this.tracked.set(owner, tracked);
    return {
      joins: { [key]: { metas: [meta] } },
      leaves: before === undefined ? {} : { [before.key]: { metas: [before.meta] } },
    };
  }

  /** Removes the owner, or returns null if the owner was not tracked. */
  untrack(owner: Owner): PresenceDiff | null {
    const before = this.tracked.get(owner);
    if (before === undefined) return null;
    this.tracked.delete(owner);
    this.count(before, -1);
    return { joins: {}, leaves: { [before.key]: { metas: [before.meta] } } };
  }

  /** The size of the state, in bytes. */
  get bytes(): number {
    return this.byteCount;
  }

  /** Returns all presences, grouped by key in order of arrival. */
  state(): PresenceState {
    const state = new Map<string, { metas: Meta[] }>();
    for (const { key, meta } of this.tracked.values()) {
      const group = state.get(key);
      if (group === undefined) state.set(key, { metas: [meta] });
      else group.metas.push(meta);
    }
    // The state is collected in a Map, because a presence key may be "__proto__".
    return Object.fromEntries(state);
  }

  private count({ person, bytes }: Tracked, sign: 1 | -1): void {
    this.byteCount += sign * bytes;
    if (person === null) return;
    const left = (this.bytesOf.get(person) ?? 0) + sign * bytes;
    if (left > 0) this.bytesOf.set(person, left);
    else this.bytesOf.delete(person);
  }
}
