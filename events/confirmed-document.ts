import * as Y from 'yjs'
import { admit, type AdmissionRow, type AdmittedEdit, type Bindings, type Flag } from './admission'
import { forgoTidying } from './formatting-marks'
import { type Range } from './yjs-update'

/** One edit of the log which every honest reader takes in. */
export type AcceptedEdit = AdmittedEdit & { actorId: string; version: number }

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
 * The document as the log tells it, and nothing else. What `admit` passes over never reaches it, so it has nothing
 * pending at any version, and every reader comes to the same text.
 */
export class ConfirmedDocument {
  readonly doc = new Y.Doc()
  readonly flags: Flag[] = []
  private readonly bindings: Bindings
  private readonly poisoned: ReadonlySet<string>
  private reached: number
  private allLearned: boolean

  constructor(from: DocumentState | null, poisoned: ReadonlySet<string> = new Set()) {
    this.poisoned = poisoned
    this.reached = from?.version ?? 0
    this.allLearned = !from || from.owners !== undefined
    forgoTidying(this.doc)
    if (from) Y.applyUpdate(this.doc, from.state, this)
    this.bindings = { owners: new Map(from?.owners), reached: Y.decodeStateVector(Y.encodeStateVector(this.doc)) }
  }

  get version(): number {
    return this.reached
  }

  /** The person a Yjs client id is bound to. */
  ownerOf(client: number): string | null {
    return this.bindings.owners.get(client) ?? null
  }

  /** The first clock of a client that the log does not hold. */
  clockOf(client: number): number {
    return this.bindings.reached.get(client) ?? 0
  }

  /** Whether the log holds every part of these ranges. */
  holds(ranges: Range[]): boolean {
    return ranges.every(({ client, clock, length }) => clock + length <= this.clockOf(client))
  }

  /** Whether the log says that all of these ranges are deleted. */
  deleted(ranges: Range[]): boolean {
    return ranges.every(({ client, clock, length }) => {
      for (let at = clock; at < clock + length; ) {
        const struct = structAt(this.doc, client, at)
        if (!struct?.deleted) return false
        at = struct.id.clock + struct.length
      }
      return true
    })
  }

  /** Learns the bindings of client ids from all rows that the fold has behind it. */
  learn(rows: Pick<AdmissionRow, 'actorId' | 'clientIds'>[]): void {
    const { owners } = this.bindings
    for (const { actorId, clientIds } of rows) for (const client of clientIds) if (!owners.has(client)) owners.set(client, actorId)
    this.allLearned = true
  }

  /** Folds the next row and answers the edits that were taken in. */
  integrate(row: AdmissionRow): AcceptedEdit[] {
    if (row.version !== this.reached + 1) throw new LogGap(`version ${row.version} does not follow ${this.reached}`)
    const { edits, flagged } = admit(row, this.bindings)
    if (!this.allLearned && flagged.some(({ reason }) => reason === 'foreign-client')) throw new UnknownOwner(`at version ${row.version}`)
    this.flags.push(...flagged)
    const accepted: AcceptedEdit[] = []
    for (const edit of edits) {
      if (this.apply(edit, row)) accepted.push({ ...edit, actorId: row.actorId, version: row.version })
    }
    this.reached = row.version
    return accepted
  }

  private apply(edit: AdmittedEdit, { version, actorId }: AdmissionRow): boolean {
    const at = `${version}:${edit.index}`
    if (this.poisoned.has(at)) {
      this.flags.push({ version, index: edit.index, actorId, reason: 'malformed' })
      return false
    }
    try {
      Y.applyUpdate(this.doc, edit.update, this)
    } catch (error) {
      throw new PoisonedFold(at, error)
    }
    const { pendingStructs, pendingDs } = this.doc.store
    if (pendingStructs || pendingDs) throw new PoisonedFold(at, new Error('it hangs on itself'))
    return true
  }
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
