import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { fromHex } from '../hash'
import { nothingRemembered, type Remembered, type Seen } from './verification'

/** One event as it went by: its place and its hash in hex. */
export type Sighting = { version: number; hash: string }

/** What came of remembering: the first version at which something else was remembered, if there is one. */
export type Contradiction = { version: number } | null

/** A witness: what this browser has seen of each stream, however the log answers later. */
export type HeadMemory = {
  recall(stream: string): Promise<Remembered>
  /** Adds sightings; where they contradict what is remembered, nothing is added and nothing forgotten. */
  remember(stream: string, sightings: readonly Sighting[], at: number): Promise<Contradiction>
  /** Forgets everything from a version on, because somebody has accepted another history. */
  forget(stream: string, from: number): Promise<void>
}

interface Schema extends DBSchema {
  heads: { key: string; value: Seen & { since: number } }
  /** The first half of each hash, for 256 versions a record; zeros where none was seen. */
  marks: { key: [stream: string, chunk: number]; value: Uint8Array }
}

const perChunk = 256
const markBytes = 16
const chunkOf = (version: number) => Math.floor(version / perChunk)
const offsetOf = (version: number) => (version % perChunk) * markBytes

type Database = IDBPDatabase<Schema>

/** Whether a chunk holds this hash at this version; null where it holds none. */
function compared(chunk: Uint8Array | undefined, { version, hash }: Sighting): boolean | null {
  const known = chunk?.subarray(offsetOf(version), offsetOf(version) + markBytes)
  if (!known?.some((byte) => byte !== 0)) return null
  const mark = fromHex(hash.slice(0, markBytes * 2))
  return known.every((byte, index) => byte === mark[index])
}

/** The memory in IndexedDB: sixteen bytes an event and one record a stream. */
export function indexedDbHeads(name = 'palimpsest-heads'): HeadMemory {
  let opening: Promise<Database> | null = null
  const database = () =>
    (opening ??= openDB<Schema>(name, 1, {
      upgrade(db) {
        db.createObjectStore('heads')
        db.createObjectStore('marks')
      },
      terminated: () => {
        opening = null
      },
    }).catch((error: unknown) => {
      opening = null
      throw error
    }))

  return {
    async recall(stream) {
      const transaction = (await database()).transaction(['heads', 'marks'])
      const head = await transaction.objectStore('heads').get(stream)
      if (!head) return nothingRemembered
      const range = IDBKeyRange.bound([stream, 0], [stream, Number.MAX_SAFE_INTEGER])
      const [keys, values] = await Promise.all([transaction.objectStore('marks').getAllKeys(range), transaction.objectStore('marks').getAll(range)])
      const chunks = new Map(keys.map(([, chunk], index) => [chunk, values[index]]))
      const { since, ...seen } = head
      return { head: seen, since, agrees: (version, hash) => compared(chunks.get(chunkOf(version)), { version, hash }) }
    },

    async remember(stream, sightings, at) {
      const transaction = (await database()).transaction(['heads', 'marks'], 'readwrite', { durability: 'relaxed' })
      const marks = transaction.objectStore('marks')
      const wanted = [...new Set(sightings.map(({ version }) => chunkOf(version)))]
      const chunks = new Map(await Promise.all(wanted.map(async (chunk) => [chunk, (await marks.get([stream, chunk])) ?? new Uint8Array(perChunk * markBytes)] as const)))
      const ascending = sightings.toSorted((one, other) => one.version - other.version)
      const contradicted = ascending.find((sighting) => compared(chunks.get(chunkOf(sighting.version)), sighting) === false)
      if (contradicted) return { version: contradicted.version }
      for (const { version, hash } of ascending) chunks.get(chunkOf(version))?.set(fromHex(hash.slice(0, markBytes * 2)), offsetOf(version))
      await Promise.all([...chunks].map(([chunk, bytes]) => marks.put(bytes, [stream, chunk])))
      const heads = transaction.objectStore('heads')
      const known = await heads.get(stream)
      const newest = ascending.at(-1)
      if (newest && (!known || newest.version > known.version)) await heads.put({ ...newest, at, since: known?.since ?? at }, stream)
      await transaction.done
      return null
    },

    async forget(stream, from) {
      const transaction = (await database()).transaction(['heads', 'marks'], 'readwrite')
      const marks = transaction.objectStore('marks')
      await marks.delete(IDBKeyRange.bound([stream, chunkOf(from) + 1], [stream, Number.MAX_SAFE_INTEGER]))
      const chunk = await marks.get([stream, chunkOf(from)])
      if (chunk) await marks.put(chunk.fill(0, offsetOf(from)), [stream, chunkOf(from)])
      await transaction.objectStore('heads').delete(stream)
      await transaction.done
    },
  }
}
