import { type Channels, type Subscription } from '@/events/channel/channel'
import { flushInterval } from '@/events/channel/message-budget'
import { peopleOf, type Person, type PresenceState } from '@/events/channel/presence-list'

type ChannelInput = {
  documentId: string
  userId: string
  channels: Channels
  /** The hosted plan's messages per second, if there is one. */
  messageLimit?: number | null
  /** How many people type at present. */
  typists(): number
  /** The way to the others has changed; told after what is under way. */
  changed(state: ReturnType<Subscription['state']>): void
  noticed(version: number, ids: readonly string[]): void
  heard(event: string, payload: unknown): void
  /** Who has the document open has changed, and whether somebody has come who needs to be told of carets. */
  met(newcomers: boolean): void
}

/** The channel of one open document: who is on it, and how fast one may speak there. */
export class DocumentChannel {
  people: Person[] = []
  readonly subscription: Subscription
  private readonly input: ChannelInput

  constructor(input: ChannelInput) {
    this.input = input
    this.subscription = input.channels.subscribe(input.documentId, {
      state: (state) => queueMicrotask(() => input.changed(state)),
      notice: ({ version, ids }) => input.noticed(version, ids),
      broadcast: (event, payload) => input.heard(event, payload),
      presence: (entries) => {
        const newcomers = entries.length > this.tabs
        this.people = peopleOf(entries)
        input.met(newcomers)
      },
    })
  }

  /** Milliseconds between two broadcasts; 0 sends every letter at once. */
  interval(): number {
    return flushInterval({
      listeners: this.tabs,
      typists: this.input.typists(),
      limit: this.input.messageLimit ?? null,
      limitHits: this.subscription.limitHits(),
    })
  }

  /** Tells the others how present this person is. */
  track(state: PresenceState): void {
    this.subscription.track({ userId: this.input.userId, documentId: this.input.documentId, state })
  }

  private get tabs(): number {
    return this.people.reduce((sum, { tabs }) => sum + tabs, 0)
  }
}
