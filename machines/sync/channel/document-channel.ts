import type { Channels, ChannelState, Subscription } from "@/events/realtime/channel";
import { flushInterval } from "@/events/realtime/message-budget";
import { peopleOf, writersOf } from "@/events/realtime/presence-list";
import type { Person, PresenceState, Writers } from "@/events/realtime/presence-list";

/** The maximum number of client ids in a presence message. A tab seldom has more than one. */
const mostClients = 20;

type ChannelInput = {
  documentId: string;
  userId: string;
  channels: Channels;
  /** The hosted plan's limit of messages per second. Null means no limit. */
  messageLimit?: number | null;
  /** Returns the number of people who are typing. */
  typists(): number;
  /** Called in a microtask after the subscription's state has changed. */
  changed(state: ReturnType<Subscription["state"]>): void;
  noticed(version: number, ids: readonly string[]): void;
  heard(event: string, payload: unknown): void;
  /** Called when presence changes. `newcomers` means that a new tab needs to receive the carets. */
  met(newcomers: boolean): void;
};

/** A channel's state for a report. */
export type ChannelFacts = {
  state: ChannelState;
  epoch: string | null;
  people: number;
  tabs: number;
  broadcastIntervalMs: number;
  limitHits: number;
};

/** Whether an author is on the channel. It is `unknown` while this page is not on the channel. */
export type Whereabouts = "here" | "gone" | "unknown";

/** The channel of one open document, with its presence and broadcast rate. */
export class DocumentChannel {
  people: Person[] = [];
  private writers: Writers | null = null;
  readonly subscription: Subscription;
  private readonly input: ChannelInput;

  constructor(input: ChannelInput) {
    this.input = input;
    this.subscription = input.channels.subscribe(input.documentId, {
      state: (state) => {
        // Presence is sent in full after every join.
        this.writers = null;
        queueMicrotask(() => input.changed(state));
      },
      notice: ({ version, ids }) => input.noticed(version, ids),
      broadcast: (event, payload) => input.heard(event, payload),
      presence: (entries) => {
        const newcomers = entries.length > this.tabs;
        this.people = peopleOf(entries);
        this.writers = writersOf(entries);
        input.met(newcomers);
      },
    });
  }

  /** Returns the ms between two broadcasts. 0 sends every keystroke at once. */
  interval(): number {
    return flushInterval({
      listeners: this.tabs,
      typists: this.input.typists(),
      limit: this.input.messageLimit ?? null,
      limitHits: this.subscription.limitHits(),
    });
  }

  /**
   * Publishes this person's presence state and the Yjs client ids under which this tab writes to
   * the log.
   */
  track(state: PresenceState, clients: readonly number[]): void {
    this.subscription.track({
      userId: this.input.userId,
      documentId: this.input.documentId,
      state,
      clients: clients.slice(0, mostClients),
    });
  }

  /**
   * Whether a tab that writes under this client id is present. `owner` is the account that the log
   * has bound the id to, or null.
   */
  whereabouts(client: number, owner: string | null): Whereabouts {
    if (!this.writers || this.subscription.state() !== "joined") return "unknown";
    const { clients, silent } = this.writers;
    // A page of an earlier release does not announce its client ids.
    return clients.has(client) || (owner === null ? silent.size > 0 : silent.has(owner))
      ? "here"
      : "gone";
  }

  /** Returns the channel's current state for a report. */
  debug(): ChannelFacts {
    return {
      state: this.subscription.state(),
      epoch: this.subscription.epoch(),
      people: this.people.length,
      tabs: this.tabs,
      broadcastIntervalMs: this.interval(),
      limitHits: this.subscription.limitHits(),
    };
  }

  private get tabs(): number {
    return this.people.reduce((sum, { tabs }) => sum + tabs, 0);
  }
}
