import { isDeepStrictEqual } from "node:util";
import { type JsonObject } from "./frame";

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

/** What a presence takes in the state beside its key and payload: references and brackets. */
const envelope = 100;

/**
 * How many bytes of state a topic has in all, and of one person: who joins is told all of it at
 * once. Our own client says some 150 bytes a tab.
 */
export const mostState = { topic: 1_000_000, person: 100_000 };

/** Who is present in one topic. Each owner (a channel) is tracked at most once; several owners may share a key. */
export class Presence<Owner> {
  readonly #tracked = new Map<Owner, Tracked>();
  readonly #bytesOf = new Map<string, number>();
  #bytes = 0;

  /**
   * Enters the owner, or changes what it says about itself; null if nothing changed, 'full' if
   * there is no room for it.
   */
  track(
    owner: Owner,
    key: string,
    payload: JsonObject,
    phxRef: string,
    person: string | null = null,
  ): PresenceDiff | "full" | null {
    const before = this.#tracked.get(owner);
    if (before !== undefined && isDeepStrictEqual(before.payload, payload)) return null;
    const bytes =
      Buffer.byteLength(JSON.stringify(payload)) +
      Buffer.byteLength(JSON.stringify(key)) +
      envelope;
    const more = bytes - (before?.bytes ?? 0);
    if (this.#bytes + more > mostState.topic) return "full";
    if (person !== null && (this.#bytesOf.get(person) ?? 0) + more > mostState.person)
      return "full";
    const meta: Meta = { ...payload, phx_ref: phxRef };
    if (before !== undefined) {
      meta.phx_ref_prev = before.meta.phx_ref;
      this.#count(before, -1);
    }
    const tracked = { key, payload, meta, person, bytes };
    this.#count(tracked, 1);
    this.#tracked.set(owner, tracked);
    return {
      joins: { [key]: { metas: [meta] } },
      leaves: before === undefined ? {} : { [before.key]: { metas: [before.meta] } },
    };
  }

  /** Takes the owner out; null if it was not in. */
  untrack(owner: Owner): PresenceDiff | null {
    const before = this.#tracked.get(owner);
    if (before === undefined) return null;
    this.#tracked.delete(owner);
    this.#count(before, -1);
    return { joins: {}, leaves: { [before.key]: { metas: [before.meta] } } };
  }

  /** How many bytes the state has. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Everybody, grouped by key in the order of entering. */
  state(): PresenceState {
    const state = new Map<string, { metas: Meta[] }>();
    for (const { key, meta } of this.#tracked.values()) {
      const group = state.get(key);
      if (group === undefined) state.set(key, { metas: [meta] });
      else group.metas.push(meta);
    }
    // A Map first: a presence key may be "__proto__".
    return Object.fromEntries(state);
  }

  #count({ person, bytes }: Tracked, sign: 1 | -1): void {
    this.#bytes += sign * bytes;
    if (person === null) return;
    const left = (this.#bytesOf.get(person) ?? 0) + sign * bytes;
    if (left > 0) this.#bytesOf.set(person, left);
    else this.#bytesOf.delete(person);
  }
}
