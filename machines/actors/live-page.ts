import { Awareness } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { type Subscription } from '@/events/channel/channel'
import { type Clock, type Random } from '@/events/clock'
import { documentProvider, remoteOrigin, type DocumentProvider } from '@/events/channel/document-provider'
import { forgoTidying } from '@/events/yjs/formatting-marks'
import { divide, type PendingEdit } from '@/events/yjs/pending-edits'
import { ProvisionalUpdates } from '@/events/confirmed/provisional-updates'
import { deletionOf, transplant } from '@/events/yjs/transplant'
import { inspectUpdate, type InspectedUpdate } from '@/events/yjs/update-inspection'
import { type DraftDocument } from './draft-document'
import { type LogReader } from './log-reader'
import { patience } from './log-sender'
import { type OutgoingEdits } from './outbox'

/** How long others' unlogged text is shown before the page goes back to what the log holds. */
const provisionalAge = 30_000
/** How often at most the page is compared with the log, which takes as long as the text is. */
const comparisonEvery = 10_000
/** The name under which a document holds its text. */
export const root = 'default'
/** The origin of deletions that were put off until the log brought what they delete. */
const deferredOrigin = 'deferred'

type PageInput = {
  clock: Clock
  random: Random
  reader: LogReader
  outgoing: OutgoingEdits
  mayWrite(): boolean
  /** Hears what was written here. */
  typed(update: Uint8Array): void
  /** Milliseconds between two broadcasts; 0 sends every letter at once. */
  interval(): number
  /** Another Y.Doc stands in the place of the one before. */
  replaced(): void
  /** What is open already, to be shown instead of another. */
  draft?: Pick<DraftDocument, 'doc' | 'awareness'> | null
}

/** The text as this tab shows it: the log, one's own edits, and for a while what others have not logged yet. */
export class LivePage {
  doc: Y.Doc
  awareness: Awareness
  readonly provisional = new ProvisionalUpdates()
  private readonly input: PageInput
  private subscription: Subscription | null = null
  private provider: DocumentProvider | null = null
  private suspect = false
  private nextComparison = 0
  private closed = false

  constructor(input: PageInput) {
    this.input = input
    this.doc = input.draft?.doc ?? this.freshDoc()
    this.awareness = input.draft?.awareness ?? this.freshAwareness(null)
  }

  get fragment(): Y.XmlFragment {
    return this.doc.getXmlFragment(root)
  }

  /** Begins to speak and to hear on the document's channel. */
  connect(subscription: Subscription): void {
    this.subscription = subscription
    this.provider = this.bind(subscription)
  }

  joined(): void {
    this.provider?.joined()
  }

  left(): void {
    this.provider?.left()
  }

  broadcast(event: string, payload: unknown): void {
    this.provider?.broadcast(event, payload)
  }

  /** Says this tab's caret again, for those who have just come. */
  announce(): void {
    this.provider?.announce()
  }

  /** Falls silent; what is written from now on is nobody's. */
  disconnect(): void {
    this.closed = true
    this.provider?.destroy()
  }

  destroy(): void {
    this.awareness.destroy()
    this.doc.destroy()
  }

  /** Takes in somebody else's update that the log lacks. */
  hearUnlogged(update: Uint8Array): void {
    this.provisional.add(update, inspectUpdate(update), this.input.clock.elapsed())
  }

  /** Shows what the log has brought of others; false if the page must be made anew. */
  showLogged(updates: Uint8Array[]): boolean {
    const applied = this.applyRemote(updates)
    this.settleUnlogged()
    // Yjs gives up a client id that it meets in what somebody else wrote; the caret must go with it.
    return applied && this.doc.clientID === this.awareness.clientID
  }

  /**
   * Lets go of what the log holds by now; what stood there before may have been forged, so the page is to be compared. Also
   * when the log brought only one's own: what an earlier tab wrote may have been forged before this one took it over.
   */
  settleUnlogged(): void {
    if (this.provisional.size > 0) this.suspect = true
    this.provisional.prune(this.input.reader.confirmed)
  }

  /** Brings updates into the page in one step; false if Yjs failed on them. */
  applyRemote(updates: Uint8Array[]): boolean {
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

  /** Deletes what was deleted before the log had it. */
  sayDeferred(): void {
    const { outgoing, reader } = this.input
    if (!this.input.mayWrite() || outgoing.deferred.length === 0) return
    const ready = outgoing.takeDeferred((range) => reader.confirmed.holds([range]))
    if (ready.length === 0) return
    Y.applyUpdate(this.doc, deletionOf(ready), deferredOrigin)
  }

  /** Goes back to what the log holds when somebody's unlogged text has stood too long or was not what was logged. */
  heal(): void {
    const { oldest } = this.provisional
    const now = this.input.clock.elapsed()
    if (oldest !== null && oldest < now - provisionalAge && this.input.outgoing.count === 0) {
      this.provisional.keepSince(now - provisionalAge)
      this.replace([])
      return
    }
    if (!this.suspect || this.provisional.size > 0 || this.input.outgoing.count > 0 || now < this.nextComparison) return
    this.suspect = false
    this.nextComparison = now + comparisonEvery
    if (this.fragment.toString() !== this.input.reader.confirmed.doc.getXmlFragment(root).toString()) this.replace([])
  }

  /**
   * Puts another Y.Doc in the place of this one: the log, one's own edits that may be appended as they are, and
   * `remade`, made again under a new client id without what others have not logged. What has no place is put aside.
   * `besides`: what else the edits may hang on, that was in the log once.
   */
  replace(remade: PendingEdit[], besides: Uint8Array[] = []): void {
    const { clock, outgoing, random, reader } = this.input
    const { blocked } = divide([...outgoing.pending], (client) => reader.confirmed.clockOf(client))
    const own = remade.length > 0 ? remade : blocked
    const gone = new Set(own)
    const kept = outgoing.unacknowledged.filter((edit) => !gone.has(edit))
    const made = transplant({
      base: withUpdates(reader.confirmed.doc, kept.map(({ update }) => update)),
      unlogged: [...besides, ...this.provisional.updates()],
      own: own.map(({ update }) => update),
      clientId: random.clientId(),
      roots: [root],
    })
    outgoing.strand(made.stranded.flatMap((index) => own[index] ?? []))
    outgoing.replace(own, made.updates, made.deferred, made.deferred.length > 0 ? deletionOf(made.deferred) : null)
    this.provisional.keepSince(clock.elapsed() - patience)
    const state = this.awareness.getLocalState()
    this.provider?.destroy()
    this.destroy()
    this.doc = made.doc
    this.awareness = this.freshAwareness(state)
    this.applyRemote(this.provisional.updates())
    if (this.subscription) this.provider = this.bind(this.subscription)
    if (this.subscription?.state() === 'joined') this.provider?.joined()
    this.input.replaced()
  }

  private bind(subscription: Subscription): DocumentProvider {
    forgoTidying(this.doc)
    this.doc.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin !== remoteOrigin && this.input.mayWrite() && !this.closed) this.input.typed(update)
    })
    return documentProvider({
      doc: this.doc,
      awareness: this.awareness,
      subscription,
      clock: this.input.clock,
      mayWrite: () => this.input.mayWrite(),
      admit: (update, inspected) => this.admit(update, inspected),
      broken: () => this.replace([]),
      interval: () => this.input.interval(),
    })
  }

  private freshDoc(): Y.Doc {
    const doc = new Y.Doc()
    doc.clientID = this.input.random.clientId()
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(this.input.reader.confirmed.doc), remoteOrigin)
    return doc
  }

  private freshAwareness(state: Record<string, unknown> | null): Awareness {
    const awareness = new Awareness(this.doc)
    awareness.setLocalState(this.input.mayWrite() ? state : null)
    return awareness
  }

  private admit(update: Uint8Array, inspected: InspectedUpdate): boolean {
    // Nobody else speaks under this tab's client id; whoever does would make Yjs take its own next letters for known.
    if (inspected.structs.some(({ client }) => this.mine(client))) return false
    const { confirmed } = this.input.reader
    // What the log holds comes from the log: a forgery of it might come first to a page that has not taken it in yet.
    if (confirmed.holds(inspected.structs) && confirmed.deleted(inspected.deletes)) return false
    this.provisional.add(update, inspected, this.input.clock.elapsed())
    return true
  }

  private mine(client: number): boolean {
    return client === this.doc.clientID || this.input.outgoing.speaksAs(client)
  }
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
