import { isDeepStrictEqual } from 'node:util'
import { type JsonObject } from './frame'

type Meta = JsonObject & { phx_ref: string }
export type PresenceState = { [key: string]: { metas: Meta[] } }
export type PresenceDiff = { joins: PresenceState; leaves: PresenceState }

type Tracked = { key: string; payload: JsonObject; meta: Meta }

/** Who is present in one room. Each owner (a channel) is tracked at most once; several owners may share a key. */
export class Presence<Owner> {
  readonly #tracked = new Map<Owner, Tracked>()

  /** Enters the owner, or changes what it says about itself; null if nothing changed. */
  track(owner: Owner, key: string, payload: JsonObject, phxRef: string): PresenceDiff | null {
    const before = this.#tracked.get(owner)
    if (before !== undefined && isDeepStrictEqual(before.payload, payload)) return null
    const meta: Meta = { ...payload, phx_ref: phxRef }
    if (before !== undefined) meta.phx_ref_prev = before.meta.phx_ref
    this.#tracked.set(owner, { key, payload, meta })
    return {
      joins: { [key]: { metas: [meta] } },
      leaves: before === undefined ? {} : { [before.key]: { metas: [before.meta] } },
    }
  }

  /** Takes the owner out; null if it was not in. */
  untrack(owner: Owner): PresenceDiff | null {
    const before = this.#tracked.get(owner)
    if (before === undefined) return null
    this.#tracked.delete(owner)
    return { joins: {}, leaves: { [before.key]: { metas: [before.meta] } } }
  }

  /** Everybody, grouped by key in the order of entering. */
  state(): PresenceState {
    const state = new Map<string, { metas: Meta[] }>()
    for (const { key, meta } of this.#tracked.values()) {
      const group = state.get(key)
      if (group === undefined) state.set(key, { metas: [meta] })
      else group.metas.push(meta)
    }
    // A Map first: a presence key may be "__proto__".
    return Object.fromEntries(state)
  }
}
