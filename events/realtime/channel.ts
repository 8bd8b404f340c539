/**
 * The interface of live channels. A stream has one private channel. Its topic carries an epoch
 * (`document:<id>:<epoch>`) that only the database can name. Every message on it is a hint: the log
 * is the truth.
 */

/**
 * `connecting`: first attempt. `joined`: sends and receives. `waiting`: lost, and about to retry.
 * `gone`: no access.
 */
export type ChannelState = "connecting" | "joined" | "waiting" | "gone";

/**
 * The database's notice that the stream has grown to `version`. Untrusted: its receiver reads the
 * log.
 */
export type Notice = { stream: string; version: number; ids: string[] };

/** One tab's presence. `key` is `<user id>:<tab>`, as the tab claims. */
export type PresenceEntry = { key: string; payload: unknown };

export type ChannelListener = {
  state?(state: ChannelState): void;
  notice?(notice: Notice): void;
  broadcast?(event: string, payload: unknown): void;
  presence?(entries: PresenceEntry[]): void;
};

export type Subscription = {
  state(): ChannelState;
  /**
   * Sends at once and returns true, or returns false if the channel is not joined. Never falls back
   * to HTTP.
   */
  send(event: string, payload: unknown): boolean;
  /**
   * Sets this tab's presence to `payload`, restores it after every rejoin, and stays within the
   * hosted limit of presence calls.
   */
  track(payload: Record<string, unknown>): void;
  /** Returns how often the server closed the channel for exceeding its message limit. */
  limitHits(): number;
  /** Returns the epoch of the channel that is joined or joining, or null without a channel. */
  epoch(): string | null;
  close(): void;
};

export type Channels = {
  /** Subscribes to a stream. All subscribers of a stream share one channel. */
  subscribe(stream: string, listener: ChannelListener): Subscription;
  /**
   * Refreshes the token and retries at once. Call this when the page becomes visible or the network
   * returns.
   */
  wake(): void;
  close(): Promise<void>;
};

/** Joins topics: through supabase-js in the product, in memory in tests. */
export type Transport = {
  /** Ensures that the next join carries a valid token. */
  refresh(): Promise<void>;
  join(topic: string, listener: TransportListener): TransportChannel;
};

export type TransportListener = {
  joined(): void;
  /** Reports that the channel is closed for good. `limited` means that it had too many messages. */
  lost(reason: { text: string; limited: boolean }): void;
  broadcast(event: string, payload: unknown): void;
  presence(entries: PresenceEntry[]): void;
};

export type TransportChannel = {
  send(event: string, payload: unknown): void;
  track(payload: Record<string, unknown>): void;
  close(): Promise<void>;
};
