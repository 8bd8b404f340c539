import { type Awareness } from 'y-protocols/awareness'
import { createActor, fromPromise, type Actor } from 'xstate'
import type * as Y from 'yjs'
import { type Subscription } from '@/events/channel/channel'
import { type Person, type PresenceState } from '@/events/channel/presence-list'
import { type OutboxRecord } from '@/events/device/outbox'
import { type Ruled } from '@/events/envelope'
import { type WholeState } from '@/events/confirmed/document-state'
import { insertedText } from '@/events/yjs/inserted-text'
import { Adoption } from './adoption'
import { DocumentChannel } from './document-channel'
import { readLeft } from './left-behind'
import { type LiveDocument, type LiveDocumentInput } from './live-document'
import { LivePage } from './live-page'
import { LogReader, type Reading } from './log-reader'
import { LogSender } from './log-sender'
import { machineClock } from './machine-clock'
import { OutgoingEdits } from './outbox'
import { SetBacks } from './set-backs'
import { syncMachine } from './sync'
import { type Access } from './sync-events'
import { untilContact, untilEmptied } from './sync-moments'

/** Opens a document for live editing, in a browser or in Node; everything that reaches outside is handed in. */
export function openDocument(input: LiveDocumentInput): LiveDocument {
  return new OpenDocument(input)
}

class OpenDocument implements LiveDocument {
  readonly sync: Actor<typeof syncMachine>
  readonly loaded: Promise<void>
  readonly adopted: Promise<void>
  private readonly input: LiveDocumentInput
  private readonly reader: LogReader
  private readonly outgoing: OutgoingEdits
  private readonly lost: SetBacks
  private readonly sender: LogSender
  private readonly page: LivePage
  private readonly channel: DocumentChannel
  private readonly adoption: Adoption
  private readonly replacedListeners = new Set<() => void>()
  private readonly peopleListeners = new Set<() => void>()
  private readonly rowListeners = new Set<(rows: Ruled[]) => void>()
  private access: Access
  private closing = false

  constructor(input: LiveDocumentInput) {
    this.input = input
    this.access = input.access ?? 'write'
    this.reader = new LogReader(input.documentId, input.store, input.initial ?? null)
    this.adoption = new Adoption({ ...input, failed: () => this.sayStored(false), take: (records) => this.adopt(records) })
    this.outgoing = new OutgoingEdits({ ...input, box: this.adoption.box, stored: (works) => this.sayStored(works) })
    this.lost = new SetBacks(this.reader, this.outgoing)
    this.sender = new LogSender({
      ...input,
      reader: this.reader,
      outgoing: this.outgoing,
      access: () => this.access,
      inContact: () => this.sync.getSnapshot().value.contact === 'made',
      catchUp: () => this.catchUp(),
      changed: () => {
        this.page.settleUnlogged()
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
      interval: () => this.channel.interval(),
      replaced: () => {
        this.count()
        for (const listener of this.replacedListeners) listener()
      },
    })
    this.channel = new DocumentChannel({
      ...input,
      typists: () => this.awareness.getStates().size,
      changed: (state) => this.linkChanged(state),
      noticed: (version, ids) => {
        if (this.reader.knows(ids) || ids.every((id) => this.outgoing.owns(id))) return
        // News from behind where this page stands: unless it comes late, the log was set back.
        if (version <= this.reader.confirmed.version) this.reader.doubt()
        this.sync.send({ type: 'log.noticed' })
      },
      heard: (event, payload) => this.page.broadcast(event, payload),
      met: (newcomers) => {
        if (newcomers) this.page.announce()
        for (const listener of this.peopleListeners) listener()
        this.sayDelay()
      },
    })
    this.page.connect(this.channel.subscription)
    this.loaded = untilContact(this.sync)
    this.sync.start()
    this.sync.send({ type: 'access.changed', access: this.access })
    this.setPresence('active')
    const written = input.draft?.take() ?? []
    this.outgoing.takeOver(written)
    if (written.length > 0) this.edited()
    this.adopted = this.adoption.begin()
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

  get people(): Person[] {
    return this.channel.people
  }

  get version(): number {
    return this.reader.confirmed.version
  }

  confirmed(): WholeState {
    return this.reader.state()
  }

  get setBacks(): number {
    return this.lost.count
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
    this.channel.track(state)
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
    return [...this.outgoing.stranded, ...this.outgoing.unacknowledged].map(({ update }) => insertedText(update)).join('')
  }

  lostText(): string {
    return this.lost.text()
  }

  async close(): Promise<void> {
    if (this.closing) return
    this.closing = true
    this.adoption.end()
    this.page.disconnect()
    this.channel.subscription.close()
    this.flush()
    await untilEmptied(this.sync, () => this.outgoing.count)
    this.sync.stop()
    await this.outgoing.stored()
    await (await this.adoption.box).close()
    this.page.destroy()
    this.reader.confirmed.doc.destroy()
  }

  private sayStored(works: boolean) {
    this.sync.send({ type: works && this.adoption.onDevice ? 'storage.restored' : 'storage.failed' })
  }

  private adopt(records: OutboxRecord[]): void {
    const left = readLeft(records)
    this.outgoing.adopt(left)
    const supports = left.supports.map(({ update }) => update)
    for (const update of supports) this.page.hearUnlogged(update)
    this.page.applyRemote([...supports, ...this.outgoing.unacknowledged.map(({ update }) => update)])
    this.edited()
    // They stay where they are, for a page that can read them.
    if (left.faults.length > 0) throw new AggregateError(left.faults, 'the device keeps edits that cannot be read')
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
      this.reader.doubt()
      this.page.left()
      this.sync.send({ type: state === 'connecting' ? 'link.connecting' : 'link.lost' })
      if (state === 'gone') this.sync.send({ type: 'access.changed', access: 'none' })
    }
    this.sayDelay()
  }

  private sayDelay(): void {
    const delay = this.channel.interval()
    if (delay !== this.sync.getSnapshot().context.delay) this.sync.send({ type: 'slowed', delay })
  }

  private async catchUp(): Promise<void> {
    this.take(await this.reader.read())
  }

  private take(reading: Reading): void {
    if (reading.lost) return this.goBack(reading.rows, reading.lost)
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

  /** An older backup was put in the place of the log: shows what it holds, and sends again what this tab wrote and it has lost. */
  private goBack(rows: Ruled[], lost: Uint8Array): void {
    this.lost.take(rows, lost)
    this.sender.startOver()
    this.page.replace([], [lost])
    this.recover()
    this.edited()
    for (const listener of this.rowListeners) listener(rows.slice(-1))
  }

  /** What a stranded edit hangs on may still come, when its author does. */
  private recover(): void {
    const updates = this.outgoing.recover((client) => this.reader.confirmed.clockOf(client))
    if (updates.length === 0) return
    this.page.applyRemote(updates)
    this.edited()
  }
}

function listening<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
