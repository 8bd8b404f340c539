import * as Y from 'yjs'
import { admit, type Admitted, type AdmittedEdit, type Bindings, type Flag, noBindings } from './admission'
import { ConfirmedDocument } from './confirmed-document'
import { type Json, type Ruled, type Subject } from './envelope'
import { Lifespans } from './lifespans'
import { type Block, manuscriptOf } from './manuscript'
import { groupStarts, Pace } from './pace'

/** What a row of the log must hold to be played. */
export type TimelineRow = Pick<
  Ruled,
  'id' | 'version' | 'type' | 'actorId' | 'clientIds' | 'clientTime' | 'recordedAt' | 'body' | 'update' | 'toPhase' | 'subject'
>

/** An event as the player lists it: everything but the text's own edits changes the title or the phase, or marks a place. */
export type Mark = { moment: number; id: string; version: number; type: string; subject: Subject; actorId: string; body: Json; toPhase: string }

/** One step of the history; `edit` counts from 0 within its event. */
export type Moment = { index: number; version: number; edit: number; type: string; actorId: string; author: number; time: number }

/** A document's history, ready to be shown at any moment; it never changes. */
export type Timeline = {
  /** How many moments there are; the moment `length - 1` is the newest. */
  length: number
  version: number
  /** User ids in the order of their first moment; a moment's `author` is an index into them. */
  authors: string[]
  marks: Mark[]
  flags: Flag[]
  blocks: Block[]
  pace: Pace
  moment(index: number): Moment
  authorOf(index: number): number
  timeOf(index: number): number
  titleAt(index: number): string
  /** The last moment of a version, or the nearest before it. */
  ofVersion(version: number): number
  /** The first moment of the group that holds the moment before this one, and of the group after this one's (or `length`). */
  groupBefore(index: number): number
  groupAfter(index: number): number
  /** The newest state as one Yjs update, told by the log alone. */
  state(): Uint8Array
}

const typeNames = ['document.edited']

class Steps {
  readonly versions: number[] = []
  readonly edits: number[] = []
  readonly authors: number[] = []
  readonly times: number[] = []
  readonly types: number[] = []

  push(version: number, edit: number, author: number, time: number, type: number): number {
    this.versions.push(version)
    this.edits.push(edit)
    this.authors.push(author)
    this.times.push(Math.max(this.times.at(-1) ?? Number.NEGATIVE_INFINITY, time))
    this.types.push(type)
    return this.versions.length - 1
  }
}

function titleOf(body: Json): string | null {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return null
  return typeof body.title === 'string' ? body.title : null
}

/** The last of ascending `values` that is not above `value`, as an index; -1 where all are. */
function lastUpTo(values: ArrayLike<number>, value: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((values[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** An edit passed every check and Yjs still failed on it: half of it is in the recording. */
class BrokenRecording extends Error {
  override name = 'BrokenRecording'
}

/**
 * Takes a stream's events in, page by page and in order, and gives its timeline. Where one of them breaks the recording,
 * it begins anew behind a fold of the log that says what every reader passes over.
 */
export class TimelineBuilder {
  private readonly rows: TimelineRow[] = []
  private recording = new Recording()
  private fold: ConfirmedDocument | null = null

  /** Takes the next event in; what it brings that no honest reader accepts is left out and flagged. */
  add(row: TimelineRow): void {
    this.rows.push(row)
    if (this.fold) return this.recording.add(row, folded(this.fold, row))
    try {
      this.recording.add(row, null)
    } catch (error) {
      if (!(error instanceof BrokenRecording)) throw error
      this.recording = new Recording()
      const fold = new ConfirmedDocument(null)
      for (const each of this.rows) this.recording.add(each, folded(fold, each))
      this.fold = fold
    }
  }

  /** The timeline of everything added; the builder is spent afterwards. */
  finish(): Timeline {
    return this.recording.finish()
  }
}

function folded(fold: ConfirmedDocument, row: TimelineRow): Admitted {
  const before = fold.flags.length
  const edits = fold.integrate(row)
  return { edits, flagged: fold.flags.slice(before) }
}

class Recording {
  private readonly doc = new Y.Doc({ gc: false })
  private readonly fragment = this.doc.getXmlFragment('default')
  private readonly bindings: Bindings = noBindings()
  private readonly lifespans = new Lifespans()
  private readonly steps = new Steps()
  private readonly authors = new Map<string, number>()
  private readonly types = new Map<string, number>(typeNames.map((name, index) => [name, index]))
  private readonly marks: Mark[] = []
  private readonly flags: Flag[] = []
  private version = 0
  private now = 0

  constructor() {
    this.doc.on('afterTransaction', (transaction: Y.Transaction) => {
      // Yjs would tidy up formatting after remote changes by deletions that nobody made.
      transaction._needFormattingCleanup = false
      for (const [client, ranges] of transaction.deleteSet.clients) {
        for (const { clock, len } of ranges) this.lifespans.bury(client, clock, len, this.now)
      }
    })
  }

  /** Takes the next event in, or of it what is `known` to be sound. */
  add(row: TimelineRow, known: Admitted | null): void {
    if (row.version !== this.version + 1) throw new Error(`Version ${row.version} does not follow ${this.version}.`)
    this.version = row.version
    const { edits, flagged } = known ?? admit(row, this.bindings)
    this.flags.push(...flagged)
    const author = this.authorIndex(row.actorId)
    const type = this.typeIndex(row.type)
    const recorded = Date.parse(row.recordedAt)
    if (edits.length === 0) this.steps.push(row.version, 0, author, Math.min(Date.parse(row.clientTime), recorded), type)
    for (const edit of edits) {
      this.now = this.steps.push(row.version, edit.index, author, Math.min(edit.time, recorded), type)
      this.apply(edit)
    }
    if (row.type === 'document.edited') return
    const { id, version, type: name, subject, actorId, body, toPhase } = row
    this.marks.push({ moment: this.steps.versions.length - 1, id, version, type: name, subject, actorId, body, toPhase })
  }

  finish(): Timeline {
    const { versions, edits, authors, times, types } = this.steps
    const names = [...this.types.keys()]
    const starts = groupStarts(times, authors, (index) => types[index] !== 0)
    const titles = this.marks.flatMap(({ moment, body }) => {
      const title = titleOf(body)
      return title === null ? [] : [{ moment, title }]
    })
    const userIds = [...this.authors.keys()]
    const within = (index: number) => Math.max(0, Math.min(index, versions.length - 1))
    return {
      length: versions.length,
      version: this.version,
      authors: userIds,
      marks: this.marks,
      flags: this.flags,
      blocks: manuscriptOf(this.fragment, this.lifespans),
      pace: new Pace(times),
      moment: (at) => {
        const index = within(at)
        const author = authors[index] ?? 0
        return {
          index,
          version: versions[index] ?? 0,
          edit: edits[index] ?? 0,
          type: names[types[index] ?? 0] ?? '',
          actorId: userIds[author] ?? '',
          author,
          time: times[index] ?? 0,
        }
      },
      authorOf: (index) => authors[index] ?? 0,
      timeOf: (index) => times[index] ?? 0,
      titleAt: (index) => titles.findLast(({ moment }) => moment <= index)?.title ?? '',
      ofVersion: (version) => Math.max(0, lastUpTo(versions, version)),
      groupBefore: (index) => starts[Math.max(0, lastUpTo(starts, index - 1))] ?? 0,
      groupAfter: (index) => starts[lastUpTo(starts, index) + 1] ?? versions.length,
      state: () => Y.encodeStateAsUpdate(this.doc),
    }
  }

  private apply(edit: AdmittedEdit): void {
    for (const { client, clock, length } of edit.inspected.structs) this.lifespans.bear(client, clock, length, this.now)
    try {
      Y.applyUpdate(this.doc, edit.update)
    } catch (error) {
      throw new BrokenRecording('an edit breaks the recording', { cause: error })
    }
    if (this.doc.store.pendingStructs || this.doc.store.pendingDs) throw new BrokenRecording('an edit hangs on itself')
  }

  private authorIndex(userId: string): number {
    const known = this.authors.get(userId)
    if (known !== undefined) return known
    this.authors.set(userId, this.authors.size)
    return this.authors.size - 1
  }

  private typeIndex(name: string): number {
    const known = this.types.get(name)
    if (known !== undefined) return known
    this.types.set(name, this.types.size)
    return this.types.size - 1
  }
}

/** The timeline of a whole stream whose events are at hand. */
export function openTimeline(rows: Iterable<TimelineRow>): Timeline {
  const builder = new TimelineBuilder()
  for (const row of rows) builder.add(row)
  return builder.finish()
}
