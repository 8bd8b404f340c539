import { admit, type Admitted, type AdmittedEdit, type Bindings, type Flag, noBindings } from './admission'
import { columnsOf } from './manuscript-columns'
import { MomentsBuilder } from './moments'
import { Sequence } from './sequence'
import { stateOf } from './sequence-state'
import { applyParts, KnottedUpdate } from './sequence-update'
import { type Mark, type TimelineData, type TimelineRow } from './timeline'

/** An edit passed every check and still nobody can take it in: half of it is in the recording. */
export class BrokenRecording extends Error {
  override name = 'BrokenRecording'
}

/** A stream's events as they come, put into one sequence of everything ever written. */
export class Recording {
  readonly sequence = new Sequence()
  readonly moments = new MomentsBuilder()
  readonly bindings: Bindings = noBindings()
  private readonly marks: Mark[] = []
  private readonly flags: Flag[] = []

  /** Takes the next event in, or of it what is `known` to be sound. */
  add(row: TimelineRow, known: Admitted | null): void {
    if (row.version !== this.moments.version + 1) throw new Error(`Version ${row.version} does not follow ${this.moments.version}.`)
    this.moments.begin()
    const { edits, flagged } = known ?? admit(row, this.bindings)
    this.flags.push(...flagged)
    const recorded = Date.parse(row.recordedAt)
    if (edits.length === 0) this.moments.push(0, row.actorId, Math.min(Date.parse(row.clientTime), recorded))
    for (const edit of edits) this.apply(edit, this.moments.push(edit.index, row.actorId, Math.min(edit.time, recorded)))
    if (row.type === 'document.edited') return
    const { id, version, type, subject, actorId, body, toPhase } = row
    this.marks.push({ moment: this.moments.length - 1, id, version, type, subject, actorId, body, toPhase })
  }

  finish(): TimelineData {
    const moments = this.moments.finish()
    return { moments, manuscript: columnsOf(this.sequence, moments.authors), marks: this.marks, flags: this.flags }
  }

  /** The newest state as one Yjs update. */
  state(): Uint8Array {
    return stateOf(this.sequence)
  }

  private apply(edit: AdmittedEdit, moment: number): void {
    try {
      applyParts(this.sequence, edit.inspected.parts, moment)
    } catch (error) {
      if (!(error instanceof KnottedUpdate)) throw error
      throw new BrokenRecording('an edit breaks the recording', { cause: error })
    }
  }
}
