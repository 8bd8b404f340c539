import { Awareness } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { createActor, fromPromise, type Actor } from 'xstate'
import { type Channels, type Subscription } from '@/events/channel'
import { type Clock, type Random } from '@/events/clock'
import { type DocumentState } from '@/events/confirmed-document'
import { documentProvider, remoteOrigin, type DocumentProvider } from '@/events/document-provider'
import { type Ruled } from '@/events/envelope'
import { forgoTidying } from '@/events/formatting-marks'
import { flushInterval } from '@/events/message-budget'
import { memoryOutbox, type Outbox, type OutboxBox } from '@/events/outbox'
import { divide, lackedClients, type PendingEdit } from '@/events/pending-edits'
import { peopleOf, type Person, type PresenceState } from '@/events/presence-list'
import { ProvisionalUpdates } from '@/events/provisional-updates'
import { StoreFault, type Store } from '@/events/store'
import { deletionOf, transplant } from '@/events/transplant'
import { inspectUpdate, type InspectedUpdate } from '@/events/yjs-update'
import { insertedText } from '@/events/inserted-text'
import { machineClock } from './machine-clock'
import { LogReader, type Reading } from './log-reader'
import { OutgoingEdits } from './outbox'
import { syncMachine, type Access, type SendOutcome } from './sync'

/** How long an edit waits for what it hangs on before it is made again without. */
const patience = 5_000
/** How long others' unlogged text is shown before the page goes back to what the log holds. */
const provisionalAge = 30_000
/** How often at most the page is compared with the log, which takes as long as the text is. */
const comparisonEvery = 10_000
/** How often a tab looks whether another one of this person has died and left something. */
const adoptEvery = 15_000
const root = 'default'
/** The origin of deletions that were put off until the log brought what they delete. */
const deferredOrigin = 'deferred'

export type LiveDocumentInput = {
  documentId: string
  userId: string
  store: Store
  channels: Channels
  outbox: Outbox
  clock: Clock
  random: Random
  /** The version of the text's schema, recorded with every edit. */
  schemaVersion: number
  /** A state folded earlier (by the server), to begin from instead of from nothing. */
  initial?: DocumentState | null
  /** What this person may do; `setAccess` tells later changes. */
  access?: Access
  /** The hosted plan's messages per second, if there is one. */
  messageLimit?: number | null
}

/**
 * One open document. `doc`, `fragment` and `awareness` stay the same objects until `onReplaced` says otherwise, which
 * happens when the page has to go back to what the log holds; an editor then binds to the new ones.
 */
export type LiveDocument = {
  readonly doc: Y.Doc
  readonly fragment: Y.XmlFragment
  readonly awareness: Awareness
  readonly sync: Actor<typeof syncMachine>
  /** The version of the log that the confirmed document stands at. */
  readonly version: number
  /** Resolves once the document shows what the log held when it was opened. */
  readonly loaded: Promise<void>
  readonly people: Person[]
  onReplaced(listener: () => void): () => void
  onPeople(listener: () => void): () => void
  /** Hears the log's rows, in order, once each, as they are read. */
  onRows(listener: (rows: Ruled[]) => void): () => void
  /** The person who is bound to a Yjs client id, for carets; null if the log has not said so yet. */
  userOf(clientId: number): string | null
  setAccess(access: Access): void
  setPresence(state: PresenceState): void
  /** The same person has signed in again. */
  resume(): void
  /** Lets go of the edits that nobody can place, once their text is in safety. */
  forgetStranded(): void
  /** Sends what waits, now; for a page that is about to be hidden. */
  flush(): void
  /** The text of one's own edits that the log does not have, to be copied. */
  unsavedText(): string
  /** Leaves the channel at once and keeps sending until the outbox is empty or cannot be emptied. */
  close(): Promise<void>
}

/** Opens a document for live editing, in a browser or in Node; everything that reaches outside is handed in. */
export function openDocument(input: LiveDocumentInput): LiveDocument {
  return new OpenDocument(input)
}

class OpenDocument implements LiveDocument {
  doc: Y.Doc
  awareness: Awareness
  people: Person[] = []
  readonly sync: Actor<typeof syncMachine>
  readonly loaded: Promise<void>
  private readonly input: LiveDocumentInput
  private readonly reader: LogReader
  private readonly outgoing: OutgoingEdits
  private readonly provisional = new ProvisionalUpdates()
  private readonly subscription: Subscription
  private readonly box: Promise<OutboxBox>
  private readonly replacedListeners = new Set<() => void>()
  private readonly peopleListeners = new Set<() => void>()
  private readonly rowListeners = new Set<(rows: Ruled[]) => void>()
  private provider: DocumentProvider
  private access: Access
  private blocked: { seen: string; since: number } | null = null
  private newIdTried = false
  private suspect = false
  private nextComparison = 0
  private acknowledgedVersion = 0
  private closing = false
  private cancelAdoption = () => {}

  constructor(input: LiveDocumentInput) {
    this.input = input
    this.access = input.access ?? 'write'
    this.reader = new LogReader(input.documentId, input.store, input.initial ?? null)
    this.box = this.openBox()
    this.outgoing = new OutgoingEdits({ ...input, box: this.box, stored: (works) => this.sayStored(works) })
    this.sync = createActor(
      syncMachine.provide({
        actors: { catchUp: fromPromise(() => this.catchUp()), send: fromPromise(() => this.send()) },
      }),
      { clock: machineClock(input.clock) },
    )
    this.doc = new Y.Doc()
    this.doc.clientID = input.random.clientId()
    Y.applyUpdate(this.doc, Y.encodeStateAsUpdate(this.reader.confirmed.doc), remoteOrigin)
    this.awareness = this.freshAwareness(null)
    this.subscription = input.channels.subscribe(input.documentId, {
      state: (state) => queueMicrotask(() => this.linkChanged(state)),
      notice: ({ version, ids }) => {
        if (version > this.reader.confirmed.version && !ids.every((id) => this.outgoing.owns(id))) this.sync.send({ type: 'log.noticed' })
      },
      broadcast: (event, payload) => this.provider.broadcast(event, payload),
      presence: (entries) => {
        const newcomers = entries.length > this.people.reduce((sum, { tabs }) => sum + tabs, 0)
        this.people = peopleOf(entries)
        if (newcomers) this.provider.announce()
        for (const listener of this.peopleListeners) listener()
        this.sayDelay()
      },
    })
    this.provider = this.bind()
    this.loaded = this.firstReading()
    this.sync.start()
    this.sync.send({ type: 'access.changed', access: this.access })
    this.setPresence('active')
    void this.adopt()
  }

  get fragment(): Y.XmlFragment {
    return this.doc.getXmlFragment(root)
  }

  get version(): number {
    return this.reader.confirmed.version
  }

  onReplaced(listener: () => void) {
    return listening(this.replacedListeners, listener)
  }

  onPeople(listener: () => void) {
    return listening(this.peopleListeners, listener)
  }

  onRows(listener: (rows: Ruled[]) => void) {
    return listening(this.rowListeners, listener)
  }

  userOf(clientId: number): string | null {
    return clientId === this.doc.clientID ? this.input.userId : this.reader.confirmed.ownerOf(clientId)
  }

  setAccess(access: Access): void {
    if (access === this.access) return
    this.access = access
    if (access !== 'write') this.awareness.setLocalState(null)
    this.sync.send({ type: 'access.changed', access })
    this.input.channels.wake()
  }

  setPresence(state: PresenceState): void {
    this.subscription.track({ userId: this.input.userId, documentId: this.input.documentId, state })
  }

  resume(): void {
    this.input.channels.wake()
    this.sync.send({ type: 'session.restored' })
  }

  flush(): void {
    this.sync.send({ type: 'flush' })
  }

  forgetStranded(): void {
    this.outgoing.forget()
    this.count()
  }

  unsavedText(): string {
    return [...this.outgoing.stranded, ...this.outgoing.sealed.flatMap(({ edits }) => edits), ...this.outgoing.pending].map(({ update }) => insertedText(update)).join('')
  }

  async close(): Promise<void> {
    if (this.closing) return
    this.closing = true
    this.cancelAdoption()
    this.provider.destroy()
    this.subscription.close()
    this.flush()
    await this.emptied()
    this.sync.stop()
    await this.outgoing.stored()
    await (await this.box).close()
    this.awareness.destroy()
    this.doc.destroy()
    this.reader.confirmed.doc.destroy()
  }

  /** Resolves when nothing waits, or when waiting longer in the background would not help. */
  private emptied(): Promise<void> {
    return new Promise((resolve) => {
      const { unsubscribe } = this.sync.subscribe({
        next: (snapshot) => check(snapshot.value.outbox),
      })
      const check = (outbox: ReturnType<typeof this.sync.getSnapshot>['value']['outbox']) => {
        if (this.outgoing.count > 0 && outbox !== 'refused' && outbox !== 'retrying' && !isHeld(outbox)) return
        unsubscribe()
        resolve()
      }
      check(this.sync.getSnapshot().value.outbox)
    })
  }

  private async openBox(): Promise<OutboxBox> {
    try {
      return await this.input.outbox.open(this.input)
    } catch {
      // Told to the user by the status: this browser keeps nothing.
      queueMicrotask(() => this.sayStored(false))
      return memoryOutbox().open(this.input)
    }
  }

  private sayStored(works: boolean) {
    this.sync.send({ type: works ? 'storage.restored' : 'storage.failed' })
  }

  private async adopt(): Promise<void> {
    if (this.closing) return
    this.cancelAdoption = this.input.clock.after(adoptEvery, () => void this.adopt())
    const records = await (await this.box).adopt().catch(() => {
      this.sayStored(false)
      return []
    })
    if (records.length === 0 || this.closing) return
    const supports = this.outgoing.adopt(records)
    for (const update of supports) this.hearUnlogged(update)
    const own = [...this.outgoing.sealed.flatMap(({ edits }) => edits), ...this.outgoing.pending]
    this.applyRemote([...supports, ...own.map(({ update }) => update)])
    this.edited()
  }

  private bind(): DocumentProvider {
    forgoTidying(this.doc)
    this.doc.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin === remoteOrigin || this.access !== 'write' || this.closing) return
      this.typed(update)
    })
    return documentProvider({
      doc: this.doc,
      awareness: this.awareness,
      subscription: this.subscription,
      clock: this.input.clock,
      mayWrite: () => this.access === 'write',
      admit: (update, inspected) => this.admit(update, inspected),
      broken: () => this.replace([]),
      interval: () => this.interval(),
    })
  }

  private freshAwareness(state: Record<string, unknown> | null): Awareness {
    const awareness = new Awareness(this.doc)
    awareness.setLocalState(this.access === 'write' ? state : null)
    return awareness
  }

  private typed(update: Uint8Array): void {
    this.outgoing.add(update, (client) => this.reader.confirmed.clockOf(client), () => this.provisional.updates())
    this.edited()
  }

  private edited(): void {
    this.count()
    this.sync.send({ type: 'edited' })
  }

  private count(): void {
    const unread = this.acknowledgedVersion > this.reader.confirmed.version ? 1 : 0
    const stranded = this.outgoing.stranded.length
    this.sync.send({ type: 'counted', pending: this.outgoing.count + stranded + unread, stranded })
  }

  private admit(update: Uint8Array, inspected: InspectedUpdate): boolean {
    // Nobody else speaks under this tab's client id; whoever does would make Yjs take its own next letters for known.
    if (inspected.structs.some(({ client }) => this.mine(client))) return false
    const { confirmed } = this.reader
    if (!confirmed.holds(inspected.structs) || !confirmed.deleted(inspected.deletes)) {
      this.provisional.add(update, inspected, this.input.clock.now())
    }
    return true
  }

  private mine(client: number): boolean {
    return client === this.doc.clientID || this.outgoing.speaksAs(client)
  }

  private hearUnlogged(update: Uint8Array): void {
    this.provisional.add(update, inspectUpdate(update), this.input.clock.now())
  }

  private linkChanged(state: ReturnType<Subscription['state']>): void {
    if (this.closing) return
    if (state === 'joined') {
      this.blocked = null
      // Whoever was shut out and is let in again may do what they could before, until told otherwise.
      if (this.sync.getSnapshot().value.access === 'none') this.sync.send({ type: 'access.changed', access: this.access })
      this.provider.joined()
      this.sync.send({ type: 'link.joined' })
    } else {
      this.provider.left()
      this.sync.send({ type: state === 'connecting' ? 'link.connecting' : 'link.lost' })
      if (state === 'gone') this.sync.send({ type: 'access.changed', access: 'none' })
    }
    this.sayDelay()
  }

  private interval(): number {
    return flushInterval({
      listeners: this.people.reduce((sum, { tabs }) => sum + tabs, 0),
      typists: this.awareness.getStates().size,
      limit: this.input.messageLimit ?? null,
      limitHits: this.subscription.limitHits(),
    })
  }

  private sayDelay(): void {
    const delay = this.interval()
    if (delay !== this.sync.getSnapshot().context.delay) this.sync.send({ type: 'slowed', delay })
  }

  private async firstReading(): Promise<void> {
    await new Promise<void>((resolve) => {
      const { unsubscribe } = this.sync.subscribe((snapshot) => {
        if (snapshot.value.contact !== 'made') return
        unsubscribe()
        resolve()
      })
    })
  }

  private async catchUp(): Promise<void> {
    const reading = await this.reader.read()
    this.take(reading)
  }

  private take(reading: Reading): void {
    const { confirmed } = this.reader
    const own = new Set<number>()
    for (const row of reading.rows) if (this.outgoing.acknowledge(row.id)) own.add(row.version)
    const foreign = reading.accepted.filter(({ version }) => !own.has(version))
    if (this.provisional.size > 0 && foreign.length > 0) this.suspect = true
    const applied = this.applyRemote(foreign.map(({ update }) => update))
    this.provisional.prune(confirmed)
    if (reading.rows.length > 0) this.count()
    if (reading.refolded || !applied) this.replace([])
    this.recover()
    this.sayDeferred()
    this.heal()
    if (reading.rows.length > 0) for (const listener of this.rowListeners) listener(reading.rows)
  }

  /** Brings others' updates into the page in one step; false if Yjs failed on them. */
  private applyRemote(updates: Uint8Array[]): boolean {
    if (updates.length === 0) return true
    try {
      this.doc.transact(() => {
        for (const update of updates) Y.applyUpdate(this.doc, update, remoteOrigin)
      }, remoteOrigin)
      return true
    } catch {
      // The page is half changed; it is made anew from the log, which passed the same update before.
      return false
    }
  }

  /** Goes back to what the log holds when somebody's unlogged text has stood too long or was not what was logged. */
  private heal(): void {
    const { oldest } = this.provisional
    const tooOld = oldest !== null && oldest < this.input.clock.now() - provisionalAge
    if (tooOld && this.outgoing.count === 0) {
      this.provisional.keepSince(this.input.clock.now() - provisionalAge)
      this.replace([])
      return
    }
    const now = this.input.clock.now()
    if (!this.suspect || this.provisional.size > 0 || this.outgoing.count > 0 || now < this.nextComparison) return
    this.suspect = false
    this.nextComparison = now + comparisonEvery
    if (this.fragment.toString() !== this.reader.confirmed.doc.getXmlFragment(root).toString()) this.replace([])
  }

  private sayDeferred(): void {
    if (this.access !== 'write' || this.outgoing.deferred.length === 0) return
    const { confirmed } = this.reader
    const ready = this.outgoing.takeDeferred((range) => confirmed.holds([range]))
    if (ready.length === 0) return
    Y.applyUpdate(this.doc, deletionOf(ready), deferredOrigin)
  }

  /** What a stranded edit hangs on may still come, when its author does. */
  private recover(): void {
    const updates = this.outgoing.recover((client) => this.reader.confirmed.clockOf(client))
    if (updates.length === 0) return
    this.applyRemote(updates)
    this.edited()
  }

  private async send(): Promise<SendOutcome> {
    if (this.access !== 'write') return { kind: 'refused', refusal: { name: 'not-permitted', detail: '' } }
    await this.readAcknowledged()
    if (this.outgoing.sealed.length === 0) {
      const { blocked } = this.outgoing.seal((client) => this.reader.confirmed.clockOf(client))
      if (blocked.length === 0) this.blocked = null
      if (this.outgoing.sealed.length === 0) return blocked.length === 0 ? { kind: 'empty' } : this.waitOrRemake(blocked)
    }
    await this.outgoing.stored()
    const events = this.outgoing.nextBatch()
    const answer = await this.append(events.map(({ proposal }) => proposal))
    if (answer === 'signed-out') return { kind: 'signed-out' }
    if (!answer.ok) {
      if (answer.refusal.detail.includes('client id') && !this.newIdTried) {
        // Somebody took this tab's client id first: the same again, once, under a new one.
        this.newIdTried = true
        this.replace([...this.outgoing.sealed.flatMap(({ edits }) => edits), ...this.outgoing.pending])
        return { kind: 'more' }
      }
      return { kind: 'refused', refusal: answer.refusal }
    }
    this.newIdTried = false
    await this.acknowledged(answer.rulings)
    return { kind: this.outgoing.count > 0 ? 'more' : 'empty' }
  }

  private async append(proposals: Parameters<Store['append']>[2]) {
    try {
      return await this.input.store.append(this.input.documentId, null, proposals)
    } catch (error) {
      if (error instanceof StoreFault && (error.status === 401 || error.status === 403)) return 'signed-out'
      throw error
    }
  }

  private async acknowledged(rulings: { id: string; version: number }[]): Promise<void> {
    const rejected: PendingEdit[] = []
    for (const { id, version } of rulings) {
      const event = this.outgoing.acknowledge(id)
      if (!event) continue
      const { proposal } = event
      const accepted = this.reader.take({
        version,
        actorId: this.input.userId,
        clientIds: proposal.clientIds ?? [],
        clientTime: proposal.clientTime ?? '',
        update: proposal.update ?? null,
      })
      if (accepted && accepted.length < event.edits.length) rejected.push(...event.edits)
    }
    this.acknowledgedVersion = Math.max(this.acknowledgedVersion, ...rulings.map(({ version }) => version))
    this.provisional.prune(this.reader.confirmed)
    this.count()
    if (rejected.length > 0) this.replace(rejected)
    await this.readAcknowledged()
  }

  /** "Saved" is said only when the log, as everybody reads it, shows the edits. */
  private async readAcknowledged(): Promise<void> {
    if (this.acknowledgedVersion <= this.reader.confirmed.version) return
    await this.catchUp()
    this.count()
  }

  private waitOrRemake(blocked: PendingEdit[]): SendOutcome {
    const now = this.input.clock.now()
    const [first] = blocked
    const { confirmed } = this.reader
    const lacked = first ? lackedClients(first.inspected, (client) => confirmed.clockOf(client)) : []
    // As long as the log grows by what is lacked, its author is there, only slow.
    const seen = `${first?.key} ${lacked.map((client) => confirmed.clockOf(client)).join()}`
    if (this.blocked?.seen !== seen || this.sync.getSnapshot().value.contact !== 'made') this.blocked = { seen, since: now }
    if (now - this.blocked.since < patience) return { kind: 'blocked' }
    this.blocked = null
    this.replace(blocked)
    return { kind: 'more' }
  }

  /**
   * Puts another Y.Doc in the place of this one: the log, one's own edits that may be appended as they are, and
   * `remade`, made again under a new client id without what others have not logged.
   */
  private replace(remade: PendingEdit[]): void {
    const now = this.input.clock.now()
    const { blocked } = divide([...this.outgoing.pending], (client) => this.reader.confirmed.clockOf(client))
    const own = remade.length > 0 ? remade : blocked
    const gone = new Set(own)
    const kept = [...this.outgoing.sealed.flatMap(({ edits }) => edits), ...this.outgoing.pending].filter((edit) => !gone.has(edit))
    const made = transplant({
      base: withUpdates(this.reader.confirmed.doc, kept.map(({ update }) => update)),
      unlogged: this.provisional.updates(),
      own: own.map(({ update }) => update),
      clientId: this.input.random.clientId(),
      roots: [root],
    })
    const stranded = made.stranded.flatMap((index) => own[index] ?? [])
    this.outgoing.strand(stranded)
    this.outgoing.replace(own, made.updates, made.deferred, made.deferred.length > 0 ? deletionOf(made.deferred) : null)
    this.provisional.keepSince(now - patience)
    const state = this.awareness.getLocalState()
    this.provider.destroy()
    this.awareness.destroy()
    this.doc.destroy()
    this.doc = made.doc
    this.awareness = this.freshAwareness(state)
    this.applyRemote(this.provisional.updates())
    this.provider = this.bind()
    if (this.subscription.state() === 'joined') this.provider.joined()
    this.count()
    for (const listener of this.replacedListeners) listener()
  }
}

function isHeld(outbox: unknown): boolean {
  return typeof outbox === 'object' && outbox !== null && 'waiting' in outbox && outbox.waiting === 'held'
}

function listening<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function withUpdates(doc: Y.Doc, updates: Uint8Array[]): Uint8Array {
  const state = Y.encodeStateAsUpdate(doc)
  if (updates.length === 0) return state
  const scratch = new Y.Doc()
  forgoTidying(scratch)
  Y.applyUpdate(scratch, state)
  for (const update of updates) Y.applyUpdate(scratch, update)
  return Y.encodeStateAsUpdate(scratch)
}
