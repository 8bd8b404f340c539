import { type Channels, type ChannelState, type Subscription } from "@/events/realtime/channel";
import { flushInterval } from "@/events/realtime/message-budget";
import {
  peopleOf,
  writersOf,
  type Person,
  type PresenceState,
  type Writers,
} from "@/events/realtime/presence-list";

/** How many client ids a tab tells of; it seldom has more than one, and messages are small. */
const mostClients = 20;

type ChannelInput = {
  documentId: string;
  userId: string;
  channels: Channels;
  /** The hosted plan's messages per second, if there is one. */
  messageLimit?: number | null;
  /** How many people type at present. */
  typists(): number;
  /** The way to the others has changed; told after what is under way. */
  changed(state: ReturnType<Subscription["state"]>): void;
  noticed(version: number, ids: readonly string[]): void;
  heard(event: string, payload: unknown): void;
  /** Who has the document open has changed, and whether somebody has come who needs to be told of carets. */
  met(newcomers: boolean): void;
};

/** How a channel stands, for a report. */
export type ChannelFacts = {
  state: ChannelState;
  epoch: string | null;
  people: number;
  tabs: number;
  broadcastIntervalMs: number;
  limitHits: number;
};

/** Whether somebody is on the channel; unknown where this page is not on it itself. */
export type Whereabouts = "here" | "gone" | "unknown";

/** The channel of one open document: who is on it, and how fast one may speak there. */
export class DocumentChannel {
  people: Person[] = [];
  private writers: Writers | null = null;
  readonly subscription: Subscription;
  private readonly input: ChannelInput;

  constructor(input: ChannelInput) {
    this.input = input;
    this.subscription = input.channels.subscribe(input.documentId, {
      state: (state) => {
        // Who is there is told anew after every join.
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

  /** Milliseconds between two broadcasts; 0 sends every letter at once. */
  interval(): number {
    return flushInterval({
      listeners: this.tabs,
      typists: this.input.typists(),
      limit: this.input.messageLimit ?? null,
      limitHits: this.subscription.limitHits(),
    });
  }

  /**
   * Tells the others how present this person is, and under which Yjs client ids this tab is going
   * to write to the log.
   */
  track(state: PresenceState, clients: readonly number[]): void {
    this.subscription.track({
      userId: this.input.userId,
      documentId: this.input.documentId,
      state,
      clients: clients.slice(0, mostClients),
    });
  }

  /** Whether a tab that writes under this client id is there; `owner` is whom the log has bound it to, if it has. */
  whereabouts(client: number, owner: string | null): Whereabouts {
    if (!this.writers || this.subscription.state() !== "joined") return "unknown";
    const { clients, silent } = this.writers;
    // A page of an earlier release does not say under which ids it writes.
    return clients.has(client) || (owner === null ? silent.size > 0 : silent.has(owner))
      ? "here"
      : "gone";
  }

  /** How it stands now, for a report. */
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
