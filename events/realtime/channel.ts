/**
 * What the rest of the product knows of a live channel. A stream has one private channel; its topic carries an epoch
 * (`document:<id>:<epoch>`) that only the database can name. Everything on it is a hint: the log is the truth.
 */

/** connecting: on the way; joined: heard and being heard; waiting: lost, trying again soon; gone: no access. */
export type ChannelState = "connecting" | "joined" | "waiting" | "gone";

/** The database's word that the stream has grown to `version`. Untrusted: whoever hears it reads the log. */
export type Notice = { stream: string; version: number; ids: string[] };

/** What one tab says of itself; `key` is `<user id>:<tab>`, as the tab claims it. */
export type PresenceEntry = { key: string; payload: unknown };

export type ChannelListener = {
  state?(state: ChannelState): void;
  notice?(notice: Notice): void;
  broadcast?(event: string, payload: unknown): void;
  presence?(entries: PresenceEntry[]): void;
};

export type Subscription = {
  state(): ChannelState;
  /** Sends at once and true, or nothing and false when the channel is not joined: it never falls back to HTTP. */
  send(event: string, payload: unknown): boolean;
  /** Says `payload` of this tab until told otherwise, again after every rejoin, within the hosted call limit. */
  track(payload: Record<string, unknown>): void;
  /** How often the server closed the channel because of its message limit. */
  limitHits(): number;
  /** The epoch of the channel that is joined or being joined; null without one. */
  epoch(): string | null;
  close(): void;
};

export type Channels = {
  /** Listens to a stream; listeners of one stream share one channel. */
  subscribe(stream: string, listener: ChannelListener): Subscription;
  /** To be called when the page is seen again or the network is back: takes a fresh token and retries at once. */
  wake(): void;
  close(): Promise<void>;
};

/** A way to join topics: supabase-js in the product, memory in tests. */
export type Transport = {
  /** Makes sure that the next join carries a valid token. */
  refresh(): Promise<void>;
  join(topic: string, listener: TransportListener): TransportChannel;
};

export type TransportListener = {
  joined(): void;
  /** The channel is dead for good; `limited` when the server closed it for too many messages. */
  lost(reason: { text: string; limited: boolean }): void;
  broadcast(event: string, payload: unknown): void;
  presence(entries: PresenceEntry[]): void;
};

export type TransportChannel = {
  send(event: string, payload: unknown): void;
  track(payload: Record<string, unknown>): void;
  close(): Promise<void>;
};
