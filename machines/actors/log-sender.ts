import { type Clock } from '@/events/clock'
import { lackedClients, type PendingEdit } from '@/events/yjs/pending-edits'
import { type Ruling } from '@/events/envelope'
import { StoreFault, type Store } from '@/events/store'
import { type LogReader } from './log-reader'
import { type OutgoingEdits } from './outbox'
import { type Access, type SendOutcome } from './sync-events'

/** How long an edit waits for what it hangs on before it is made again without. */
export const patience = 5_000

type SenderInput = {
  documentId: string
  userId: string
  store: Pick<Store, 'append'>
  clock: Clock
  reader: LogReader
  outgoing: OutgoingEdits
  access(): Access
  /** Whether the log can be read at present. */
  inContact(): boolean
  /** Reads on in the log and shows what it brings. */
  catchUp(): Promise<void>
  /** Hears that what is unsaved, or what the log holds, has changed. */
  changed(): void
  /** Makes these edits again in a page that stands on the log. */
  replace(edits: PendingEdit[]): void
}

/** How often in a row an edit is made again because somebody else had its client id bound first. */
const mostNewIds = 8

/** Brings one's own edits into the log: sealed, in order, and each only when the log holds what it hangs on. */
export class LogSender {
  private readonly input: SenderInput
  private blocked: { seen: string; since: number } | null = null
  private newIds = 0
  private acknowledgedVersion = 0

  constructor(input: SenderInput) {
    this.input = input
  }

  /** Whether the log has acknowledged more than has been read back of it. */
  get unread(): boolean {
    return this.acknowledgedVersion > this.input.reader.confirmed.version
  }

  /** What the log has acknowledged so far is not in it any more. */
  startOver(): void {
    this.acknowledgedVersion = 0
    this.blocked = null
  }

  /** Begins the waiting of blocked edits anew: others may have been unable to send for as long as one was away. */
  waitAnew(): void {
    this.blocked = null
  }

  /** Sends what may be sent, at most one append, and says what came of it; faults throw. */
  async send(): Promise<SendOutcome> {
    const { outgoing, reader } = this.input
    if (this.input.access() !== 'write') return { kind: 'refused', refusal: { name: 'not-permitted', detail: '' } }
    await this.readAcknowledged()
    if (outgoing.sealed.length === 0) {
      const { blocked } = outgoing.seal((client) => reader.confirmed.clockOf(client))
      if (blocked.length === 0) this.blocked = null
      if (outgoing.sealed.length === 0) return blocked.length === 0 ? { kind: 'empty' } : this.waitOrRemake(blocked)
    }
    await outgoing.stored()
    const events = outgoing.nextBatch()
    const answer = await this.append(events.map(({ proposal }) => proposal))
    if (answer === 'signed-out') return { kind: 'signed-out' }
    if (!answer.ok) {
      if (answer.refusal.detail.includes('client id') && this.newIds < mostNewIds) {
        // Somebody took this tab's client id first: the same again under a new one, before it can be taken as well.
        this.newIds += 1
        this.input.replace(outgoing.unacknowledged)
        return this.send()
      }
      return { kind: 'refused', refusal: answer.refusal }
    }
    this.newIds = 0
    await this.acknowledged(answer.rulings)
    return { kind: outgoing.count > 0 ? 'more' : 'empty' }
  }

  private async append(proposals: Parameters<Store['append']>[2]) {
    try {
      return await this.input.store.append(this.input.documentId, null, proposals)
    } catch (error) {
      if (error instanceof StoreFault && (error.status === 401 || error.status === 403)) return 'signed-out'
      this.input.reader.doubt()
      throw error
    }
  }

  private async acknowledged(rulings: Pick<Ruling, 'id' | 'version' | 'hash'>[]): Promise<void> {
    const { outgoing, reader, userId } = this.input
    if (rulings.some(({ id, version }) => version <= reader.confirmed.version && outgoing.owns(id))) {
      // A place that was taken: the log had the event already, or is shorter than what was read of it.
      reader.doubt()
      await this.input.catchUp()
    }
    const rejected: PendingEdit[] = []
    for (const { id, version, hash } of rulings) {
      const event = outgoing.acknowledge(id)
      if (!event) continue
      const { proposal } = event
      const accepted = reader.take({
        id,
        hash,
        version,
        actorId: userId,
        clientIds: proposal.clientIds ?? [],
        clientTime: proposal.clientTime ?? '',
        update: proposal.update ?? null,
      })
      if (accepted && accepted.length < event.edits.length) rejected.push(...event.edits)
    }
    this.acknowledgedVersion = Math.max(this.acknowledgedVersion, ...rulings.map(({ version }) => version))
    this.input.changed()
    if (rejected.length > 0) this.input.replace(rejected)
    await this.readAcknowledged()
  }

  /** "Saved" is said only when the log, as everybody reads it, shows the edits; and nothing is sent to a log that may lack what it hangs on. */
  private async readAcknowledged(): Promise<void> {
    if (!this.unread && !this.input.reader.inDoubt) return
    await this.input.catchUp()
    this.input.changed()
  }

  private waitOrRemake(blocked: PendingEdit[]): SendOutcome {
    const now = this.input.clock.elapsed()
    const [first] = blocked
    const { confirmed } = this.input.reader
    const lacked = first ? lackedClients(first.inspected, (client) => confirmed.clockOf(client)) : []
    // As long as the log grows by what is lacked, its author is there, only slow.
    const seen = `${first?.key} ${lacked.map((client) => confirmed.clockOf(client)).join()}`
    if (this.blocked?.seen !== seen || !this.input.inContact()) this.blocked = { seen, since: now }
    if (now - this.blocked.since < patience) return { kind: 'blocked' }
    this.blocked = null
    this.input.replace(blocked)
    return { kind: 'more' }
  }
}
