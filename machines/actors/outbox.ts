import { type Clock, type Random } from '@/events/clock'
import { divide, hangsOnMore, inEvents, pendingEdit, type PendingEdit } from '@/events/yjs/pending-edits'
import { type OutboxBox, type OutboxRecord } from '@/events/device/outbox'
import { splitUpdate } from '@/events/yjs/split-update'
import { type Range } from '@/events/yjs/yjs-update'
import { type Deferral, type LeftBehind } from './left-behind'
import { OutboxMirror } from './outbox-mirror'
import { sealed, type SealedEvent, unsealed } from './sealed-event'

/** Half of what the database takes, so that no packing of the edits can pass it. */
const eventBytes = 256 * 1024
const eventEdits = 4_000
const batch = { events: 100, bytes: 2 * 1024 * 1024 }

export type OutgoingInput = {
  box: Promise<OutboxBox>
  clock: Clock
  random: Random
  schemaVersion: number
  /** The device can (true) or cannot keep what is written; said at every change. */
  stored(works: boolean): void
}

/** One's own edits between the keyboard and the log's acknowledgement, mirrored on the device. */
export class OutgoingEdits {
  private edits: PendingEdit[] = []
  private sealedEvents: SealedEvent[] = []
  private strandedEdits: PendingEdit[] = []
  /** What the log has acknowledged, as it was sent; its payloads are what it took in all to write it. */
  private readonly saved = new Map<string, SealedEvent['proposal']>()
  private deferrals: Deferral[] = []
  private supports = new Map<Uint8Array, string>()
  private readonly input: OutgoingInput
  private readonly opened: string
  private readonly mirror: OutboxMirror
  /** The Yjs client ids that this tab has written under, and how far. */
  private readonly own = new Map<number, number>()
  private sequence = 0

  constructor(input: OutgoingInput) {
    this.input = input
    this.mirror = new OutboxMirror(input)
    // Sorts what several tabs leave behind by when they were opened, and keeps it apart.
    this.opened = `${String(input.clock.now()).padStart(15, '0')}.${input.random.uuid().slice(0, 8)}`
  }

  get pending(): readonly PendingEdit[] {
    return this.edits
  }

  get sealed(): readonly SealedEvent[] {
    return this.sealedEvents
  }

  /** Edits that hang on what is lost; they are kept until it turns up or their author lets go of them. */
  get stranded(): readonly PendingEdit[] {
    return this.strandedEdits
  }

  get deferred(): Range[] {
    return this.deferrals.map(({ range }) => range)
  }

  /** The edits that the log has not acknowledged, in order. */
  get unacknowledged(): PendingEdit[] {
    return [...this.sealedEvents.flatMap(({ edits }) => edits), ...this.edits]
  }

  /** How many they are. */
  get count(): number {
    return this.edits.length + this.sealedEvents.reduce((sum, { edits }) => sum + edits.length, 0)
  }

  /**
   * Takes in what was just typed. Where it hangs on more than the log (`clockOf`) and one's own edits, the others'
   * unlogged updates are kept along with it.
   */
  add(update: Uint8Array, clockOf: (client: number) => number, unlogged: () => Uint8Array[]): void {
    const time = Math.max(this.input.clock.now(), this.edits.at(-1)?.time ?? 0)
    let hanging = false
    for (const piece of splitUpdate(update, eventBytes)) {
      const edit = pendingEdit(this.key(), piece, time)
      hanging ||= hangsOnMore(edit.inspected, (client) => Math.max(clockOf(client), this.own.get(client) ?? 0))
      this.claim(edit)
      this.edits.push(edit)
      this.mirror.put({ kind: 'edit', key: edit.key, update: piece, time })
    }
    for (const support of hanging ? unlogged() : []) {
      if (this.supports.has(support)) continue
      const key = this.key()
      this.supports.set(support, key)
      this.mirror.put({ kind: 'support', key, update: support })
    }
  }

  /** Takes over what this tab wrote and kept in its box before there was anything to send it. */
  takeOver(records: Extract<OutboxRecord, { kind: 'edit' }>[]): void {
    for (const { key, update, time } of records) {
      const pieces = splitUpdate(update, eventBytes)
      if (pieces.length > 1) this.mirror.remove(key)
      for (const piece of pieces) {
        const edit = pendingEdit(pieces.length > 1 ? this.key() : key, piece, time)
        this.claim(edit)
        this.edits.push(edit)
        this.mirror.put({ kind: 'edit', key: edit.key, update: piece, time })
      }
    }
  }

  /** Takes over what an earlier tab left. */
  adopt({ edits, events, deferrals, supports }: LeftBehind): void {
    this.edits = [...edits, ...this.edits]
    this.sealedEvents.push(...events)
    this.deferrals.push(...deferrals)
    for (const { key, update } of supports) this.supports.set(update, key)
    for (const edit of [...edits, ...events.flatMap((event) => event.edits)]) this.claim(edit)
  }

  /** Seals what hangs only on the log; answers how many edits had to stay. */
  seal(clockOf: (client: number) => number): { blocked: PendingEdit[] } {
    const { ready, blocked } = divide(this.edits, clockOf)
    for (const edits of inEvents(ready, eventBytes, eventEdits)) {
      const key = this.key()
      const event = sealed(key, edits, { id: this.input.random.uuid(), schema: this.input.schemaVersion })
      this.sealedEvents.push(event)
      this.mirror.put({ kind: 'event', key, proposal: event.proposal, edits: edits.length })
      for (const edit of edits) this.mirror.remove(edit.key)
    }
    this.edits = blocked
    if (blocked.length === 0) this.dropSupports()
    return { blocked }
  }

  /** The sealed events that go into the next append. */
  nextBatch(): SealedEvent[] {
    const events: SealedEvent[] = []
    let bytes = 0
    for (const event of this.sealedEvents) {
      bytes += event.proposal.update?.length ?? 0
      if (events.length === batch.events || (events.length > 0 && bytes > batch.bytes)) break
      events.push(event)
    }
    return events
  }

  /** The log has this event; answers it if it was one of ours. */
  acknowledge(id: string): SealedEvent | null {
    const event = this.sealedEvents.find(({ proposal }) => proposal.id === id)
    if (!event) return null
    this.sealedEvents = this.sealedEvents.filter((other) => other !== event)
    this.mirror.remove(event.key)
    this.saved.set(id, event.proposal)
    return event
  }

  /**
   * Takes back what the log has lost: of all that this tab has sent, the edits that `missing` names by their event and
   * their place in it. They stand before what was written since, unsealed, and are kept on the device again.
   */
  recall(missing: (id: string, index: number) => boolean): void {
    const lost: PendingEdit[] = []
    for (const [id, proposal] of this.saved) {
      const { edits } = unsealed('', proposal)
      const gone = edits.filter((_, index) => missing(id, index))
      lost.push(...gone)
      if (gone.length === edits.length) this.saved.delete(id)
    }
    const sent = this.sealedEvents.flatMap(({ proposal, edits }) => edits.filter((_, index) => missing(proposal.id, index)))
    for (const { key } of this.sealedEvents) this.mirror.remove(key)
    this.sealedEvents = []
    const back = [...lost, ...sent].map((edit) => ({ ...edit, key: this.key() }))
    for (const { key, update, time } of back) this.mirror.put({ kind: 'edit', key, update, time })
    this.edits = [...back, ...this.edits]
  }

  /** Whether this tab has ever written under this Yjs client id. */
  speaksAs(client: number): boolean {
    return this.own.has(client)
  }

  owns(id: string): boolean {
    return this.sealedEvents.some(({ proposal }) => proposal.id === id)
  }

  /** Puts other updates, made again under a new client id, in the place of edits that could not be appended. */
  replace(replaced: PendingEdit[], updates: Uint8Array[], deferred: Range[], deferredUpdate: Uint8Array | null): void {
    const gone = new Set(replaced.map(({ key }) => key))
    const time = replaced.at(-1)?.time ?? this.input.clock.now()
    for (const key of gone) this.mirror.remove(key)
    const sealedToo = this.sealedEvents.filter(({ edits }) => edits.some(({ key }) => gone.has(key)))
    for (const { key } of sealedToo) this.mirror.remove(key)
    this.sealedEvents = this.sealedEvents.filter((event) => !sealedToo.includes(event))
    this.edits = this.edits.filter(({ key }) => !gone.has(key))
    for (const update of updates.flatMap((whole) => splitUpdate(whole, eventBytes))) {
      const edit = pendingEdit(this.key(), update, time)
      this.claim(edit)
      this.edits.push(edit)
      this.mirror.put({ kind: 'edit', key: edit.key, update, time })
    }
    if (deferredUpdate) {
      const key = this.key()
      this.deferrals.push(...deferred.map((range) => ({ key, range })))
      this.mirror.put({ kind: 'deferred', key, update: deferredUpdate })
    }
    this.dropSupports()
  }

  /** Puts edits aside that nobody can place. */
  strand(edits: PendingEdit[]): void {
    for (const { update, time } of edits) {
      const edit = pendingEdit(this.key(), update, time)
      this.strandedEdits.push(edit)
      this.mirror.put({ kind: 'edit', key: edit.key, update, time })
    }
  }

  /** Puts those back among the others that hang on nothing lost any more; answers their updates. */
  recover(clockOf: (client: number) => number): Uint8Array[] {
    if (this.strandedEdits.length === 0) return []
    const { ready, blocked } = divide(this.strandedEdits, clockOf)
    this.strandedEdits = blocked
    this.edits.push(...ready)
    return ready.map(({ update }) => update)
  }

  /** Lets go of what is stranded. */
  forget(): void {
    for (const { key } of this.strandedEdits) this.mirror.remove(key)
    this.strandedEdits = []
  }

  /** Takes out the deferred deletions that can be said now. */
  takeDeferred(held: (range: Range) => boolean): Range[] {
    const ready = this.deferrals.filter(({ range }) => held(range))
    this.deferrals = this.deferrals.filter((entry) => !ready.includes(entry))
    for (const { key } of ready) if (!this.deferrals.some((entry) => entry.key === key)) this.mirror.remove(key)
    return ready.map(({ range }) => range)
  }

  /** Resolves when the device has what is known now, or has refused it. */
  async stored(): Promise<void> {
    await this.mirror.write()
  }

  private key(): string {
    this.sequence += 1
    return `${this.opened}.${String(this.sequence).padStart(9, '0')}`
  }

  private claim({ inspected }: PendingEdit): void {
    for (const { client, clock, length } of inspected.structs) this.own.set(client, Math.max(this.own.get(client) ?? 0, clock + length))
  }

  private dropSupports(): void {
    for (const key of this.supports.values()) this.mirror.remove(key)
    this.supports.clear()
  }
}
