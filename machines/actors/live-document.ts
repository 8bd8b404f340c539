import { type Awareness } from 'y-protocols/awareness'
import type * as Y from 'yjs'
import { createActor, fromPromise, type Actor } from 'xstate'
import { type Channels, type Subscription } from '@/events/channel/channel'
import { type Clock, type Random } from '@/events/clock'
import { type DocumentState } from '@/events/yjs/confirmed-document'
import { type Ruled } from '@/events/envelope'
import { flushInterval } from '@/events/channel/message-budget'
import { memoryOutbox, type Outbox, type OutboxBox } from '@/events/device/outbox'
import { peopleOf, type Person, type PresenceState } from '@/events/channel/presence-list'
import { type Store } from '@/events/store'
import { insertedText } from '@/events/yjs/inserted-text'
import { type DraftDocument } from './draft-document'
import { machineClock } from './machine-clock'
import { LogReader, type Reading } from './log-reader'
import { LivePage } from './live-page'
import { LogSender } from './log-sender'
import { OutgoingEdits } from './outbox'
import { syncMachine } from './sync'
import { type Access } from './sync-events'

/** How often a tab looks whether another one of this person has died and left something. */
const adoptEvery = 15_000

export type LiveDocumentInput = {
  documentId: string
  userId: string
  store: Store
  channels: Channels
  outbox: Pick<Outbox, 'open'>
  clock: Clock
  random: Random
  /** The version of the text's schema, recorded with every edit. */
  schemaVersion: number
  /** A state folded earlier (by the server), to begin from instead of from nothing. */
  initial?: DocumentState | null
  /** What was opened of the same `initial`, and perhaps written in, before this document could be; its outbox is `outbox`'s. */
  draft?: Pick<DraftDocument, 'doc' | 'awareness' | 'take'> | null
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
  /** Resolves once what earlier tabs have left is among this one's own edits. */
  readonly adopted: Promise<void>
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
  people: Person[] = []
  readonly sync: Actor<typeof syncMachine>
  readonly loaded: Promise<void>
  readonly adopted: Promise<void>
  private readonly input: LiveDocumentInput
  private readonly reader: LogReader
  private readonly outgoing: OutgoingEdits
  private readonly sender: LogSender
  private readonly page: LivePage
  private readonly subscription: Subscription
  private readonly box: Promise<OutboxBox>
  private readonly replacedListeners = new Set<() => void>()
  private readonly peopleListeners = new Set<() => void>()
  private readonly rowListeners = new Set<(rows: Ruled[]) => void>()
  private access: Access
  private closing = false
  private cancelAdoption = () => {}

  constructor(input: LiveDocumentInput) {
    this.input = input
    this.access = input.access ?? 'write'
    this.reader = new LogReader(input.documentId, input.store, input.initial ?? null)
    this.box = this.openBox()
    this.outgoing = new OutgoingEdits({ ...input, box: this.box, stored: (works) => this.sayStored(works) })
    this.sender = new LogSender({
      ...input,
      reader: this.reader,
      outgoing: this.outgoing,
      access: () => this.access,
      inContact: () => this.sync.getSnapshot().value.contact === 'made',
      catchUp: () => this.catchUp(),
      changed: () => {
        this.page.provisional.prune(this.reader.confirmed)
        this.count()
      },
      replace: (edits) => this.page.replace(edits),
    })
    this.sync = createActor(
      syncMachine.provide({
        actors: { catchUp: fromPromise(() => this.catchUp()), send: fromPromise(() => this.sender.send()) },
      }),
      { clock: machineClock(input.clock) },
    )
    this.page = new LivePage({
      ...input,
      reader: this.reader,
      outgoing: this.outgoing,
      mayWrite: () => this.access === 'write',
      typed: (update) => this.typed(update),
      interval: () => this.interval(),
      replaced: () => {
        this.count()
        for (const listener of this.replacedListeners) listener()
      },
    })
    this.subscription = input.channels.subscribe(input.documentId, {
      state: (state) => queueMicrotask(() => this.linkChanged(state)),
      notice: ({ version, ids }) => {
        if (version > this.reader.confirmed.version && !ids.every((id) => this.outgoing.owns(id))) this.sync.send({ type: 'log.noticed' })
      },
      broadcast: (event, payload) => this.page.broadcast(event, payload),
      presence: (entries) => {
        const newcomers = entries.length > this.people.reduce((sum, { tabs }) => sum + tabs, 0)
        this.people = peopleOf(entries)
        if (newcomers) this.page.announce()
        for (const listener of this.peopleListeners) listener()
        this.sayDelay()
      },
    })
    this.page.connect(this.subscription)
    this.loaded = this.firstReading()
    this.sync.start()
    this.sync.send({ type: 'access.changed', access: this.access })
    this.setPresence('active')
    const written = input.draft?.take() ?? []
    this.outgoing.takeOver(written)
    if (written.length > 0) this.edited()
    this.adopted = this.adopt()
  }

  get doc(): Y.Doc {
    return this.page.doc
  }

  get fragment(): Y.XmlFragment {
    return this.page.fragment
  }

  get awareness(): Awareness {
    return this.page.awareness
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
    this.page.disconnect()
    this.subscription.close()
    this.flush()
    await this.emptied()
    this.sync.stop()
    await this.outgoing.stored()
    await (await this.box).close()
    this.page.destroy()
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
    for (const update of supports) this.page.hearUnlogged(update)
    const own = [...this.outgoing.sealed.flatMap(({ edits }) => edits), ...this.outgoing.pending]
    this.page.applyRemote([...supports, ...own.map(({ update }) => update)])
    this.edited()
  }

  private typed(update: Uint8Array): void {
    this.outgoing.add(update, (client) => this.reader.confirmed.clockOf(client), () => this.page.provisional.updates())
    this.edited()
  }

  private edited(): void {
    this.count()
    this.sync.send({ type: 'edited' })
  }

  private count(): void {
    const unread = this.sender.unread ? 1 : 0
    const stranded = this.outgoing.stranded.length
    this.sync.send({ type: 'counted', pending: this.outgoing.count + stranded + unread, stranded })
  }

  private linkChanged(state: ReturnType<Subscription['state']>): void {
    if (this.closing) return
    if (state === 'joined') {
      this.sender.waitAnew()
      // Whoever was shut out and is let in again may do what they could before, until told otherwise.
      if (this.sync.getSnapshot().value.access === 'none') this.sync.send({ type: 'access.changed', access: this.access })
      this.page.joined()
      this.sync.send({ type: 'link.joined' })
    } else {
      this.page.left()
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
    const own = new Set<number>()
    for (const row of reading.rows) if (this.outgoing.acknowledge(row.id)) own.add(row.version)
    const foreign = reading.accepted.filter(({ version }) => !own.has(version))
    const applied = this.page.showLogged(foreign.map(({ update }) => update))
    if (reading.rows.length > 0) this.count()
    if (reading.refolded || !applied) this.page.replace([])
    this.recover()
    this.page.sayDeferred()
    this.page.heal()
    if (reading.rows.length > 0) for (const listener of this.rowListeners) listener(reading.rows)
  }

  /** What a stranded edit hangs on may still come, when its author does. */
  private recover(): void {
    const updates = this.outgoing.recover((client) => this.reader.confirmed.clockOf(client))
    if (updates.length === 0) return
    this.page.applyRemote(updates)
    this.edited()
  }
}

function isHeld(outbox: unknown): boolean {
  return typeof outbox === 'object' && outbox !== null && 'waiting' in outbox && outbox.waiting === 'held'
}

function listening<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
