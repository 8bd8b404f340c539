import * as Y from 'yjs'
import { type Ruled } from './envelope'
import { decodeEdits, type Edit } from './payload'
import { forgoTidying } from './formatting-marks'
import { inspectUpdate, type InspectedUpdate, type Range } from './yjs-update'

/** Why a reader passes over an edit that the log holds. */
export type FlagReason = 'malformed' | 'foreign-client' | 'gap'
export type Flag = { version: number; index: number; actorId: string; reason: FlagReason }

/** One edit of the log which every honest reader takes in. */
export type AcceptedEdit = Edit & { inspected: InspectedUpdate; actorId: string; version: number }

/** What of a row the fold needs. */
export type LogRow = Pick<Ruled, 'version' | 'actorId' | 'clientIds' | 'clientTime' | 'update'>

/** A state of the document that was folded earlier; `owners` are the bindings of its client ids, if they are known. */
export type DocumentState = { version: number; state: Uint8Array; owners?: [client: number, userId: string][] }

/** Thrown when rows do not continue the log where the fold stands. */
export class LogGap extends Error {
  override name = 'LogGap'
}

/** Thrown when a client id is used that was bound before the snapshot, whose bindings nobody has told yet. */
export class UnknownOwner extends Error {
  override name = 'UnknownOwner'
}

/** Thrown when an edit passed every check and Yjs still failed on it: the document holds half of it and must be folded anew. */
export class PoisonedFold extends Error {
  override name = 'PoisonedFold'
  readonly at: string
  constructor(at: string, cause: unknown) {
    super(`the edit ${at} breaks the document`, { cause })
    this.at = at
  }
}

/**
 * The document as the log tells it, and nothing else. An edit is passed over, and flagged, when it is malformed, speaks
 * under a client id that is bound to somebody else, or hangs on something that the log does not hold; so the fold never
 * has anything pending, at any version, and every reader comes to the same text.
 */
export class ConfirmedDocument {
  readonly doc = new Y.Doc()
  readonly flags: Flag[] = []
  readonly owners: Map<number, string>
  private readonly poisoned: ReadonlySet<string>
  private reached: number
  private allLearned: boolean

  constructor(from: DocumentState | null, poisoned: ReadonlySet<string> = new Set()) {
    this.poisoned = poisoned
    this.reached = from?.version ?? 0
    this.owners = new Map(from?.owners)
    this.allLearned = !from || from.owners !== undefined
    forgoTidying(this.doc)
    if (from) Y.applyUpdate(this.doc, from.state, this)
  }

  get version(): number {
    return this.reached
  }

  /** The first clock of a client that the log does not hold. */
  clockOf(client: number): number {
    return Y.getState(this.doc.store, client)
  }

  /** Whether the log holds every part of these ranges. */
  holds(ranges: Range[]): boolean {
    return ranges.every(({ client, clock, length }) => clock + length <= this.clockOf(client))
  }

  /** Whether the log says that all of these ranges are deleted. */
  deleted(ranges: Range[]): boolean {
    return ranges.every(({ client, clock, length }) => {
      if (clock + length > this.clockOf(client)) return false
      for (let at = clock; at < clock + length; ) {
        const struct = structAt(this.doc, client, at)
        if (!struct?.deleted) return false
        at = struct.id.clock + struct.length
      }
      return true
    })
  }

  /** Learns the bindings of client ids from all rows that the fold has behind it. */
  learn(rows: LogRow[]): void {
    for (const row of rows) this.bind(row)
    this.allLearned = true
  }

  /** Folds the next row and answers the edits that were taken in. */
  integrate(row: LogRow): AcceptedEdit[] {
    if (row.version !== this.reached + 1) throw new LogGap(`version ${row.version} does not follow ${this.reached}`)
    this.bind(row)
    const accepted: AcceptedEdit[] = []
    this.editsOf(row).forEach((edit, index) => {
      const checked = this.check(edit, row, index)
      if (typeof checked === 'string') {
        this.flags.push({ version: row.version, index, actorId: row.actorId, reason: checked })
        return
      }
      try {
        Y.applyUpdate(this.doc, edit.update, this)
        if (this.doc.store.pendingStructs || this.doc.store.pendingDs) throw new Error('it hangs on itself')
      } catch (error) {
        throw new PoisonedFold(`${row.version}:${index}`, error)
      }
      accepted.push({ ...edit, inspected: checked, actorId: row.actorId, version: row.version })
    })
    this.reached = row.version
    return accepted
  }

  private bind(row: LogRow): void {
    for (const client of row.clientIds) if (!this.owners.has(client)) this.owners.set(client, row.actorId)
  }

  private editsOf(row: LogRow): Edit[] {
    if (!row.update) return []
    try {
      return decodeEdits(row.update, Date.parse(row.clientTime))
    } catch {
      this.flags.push({ version: row.version, index: 0, actorId: row.actorId, reason: 'malformed' })
      return []
    }
  }

  private check(edit: Edit, row: LogRow, index: number): InspectedUpdate | FlagReason {
    if (this.poisoned.has(`${row.version}:${index}`)) return 'malformed'
    const inspected = inspectedOrNull(edit.update)
    if (!inspected) return 'malformed'
    for (const { client } of inspected.structs) {
      const owner = this.owners.get(client)
      if (owner === undefined && !this.allLearned) throw new UnknownOwner(`client ${client}`)
      if (owner !== row.actorId) return 'foreign-client'
    }
    return missing(inspected, (client) => this.clockOf(client)).length > 0 ? 'gap' : inspected
  }
}

function inspectedOrNull(update: Uint8Array): InspectedUpdate | null {
  try {
    return inspectUpdate(update)
  } catch {
    return null
  }
}

/** What an update needs and a document that knows `clockOf` each client does not hold: the first tick of each lack. */
export function missing(update: InspectedUpdate, clockOf: (client: number) => number): { client: number; clock: number }[] {
  const own = new Map<number, number>()
  const known = (client: number) => own.get(client) ?? clockOf(client)
  const lacks: { client: number; clock: number }[] = []
  const need = (client: number, clock: number) => {
    if (clock >= known(client)) lacks.push({ client, clock })
  }
  // In the order in which Yjs writes them the structs of one client follow each other, those of several clients may
  // hang on each other crosswise, so what the update brings itself is counted before what it hangs on.
  for (const { client, clock, length } of update.structs) {
    if (clock > known(client)) lacks.push({ client, clock: known(client) })
    own.set(client, Math.max(known(client), clock + length))
  }
  for (const { dependsOn } of update.structs) for (const id of dependsOn) need(id.client, id.clock)
  for (const { client, clock, length } of update.deletes) need(client, clock + length - 1)
  return lacks
}

function structAt(doc: Y.Doc, client: number, clock: number): Y.AbstractStruct | undefined {
  const structs = doc.store.clients.get(client) ?? []
  let low = 0
  let high = structs.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const struct = structs[middle]
    if (!struct) return undefined
    if (clock < struct.id.clock) high = middle - 1
    else if (clock >= struct.id.clock + struct.length) low = middle + 1
    else return struct
  }
  return undefined
}
