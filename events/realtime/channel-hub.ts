import * as z from "zod/mini";
import type {
  ChannelListener,
  Channels,
  ChannelState,
  Notice,
  PresenceEntry,
  Transport,
  TransportChannel,
} from "./channel";
import { backoff } from "@/events/core/backoff";
import type { Clock, Random } from "@/events/core/clock";

const notice = z.object({ stream: z.string(), version: z.number(), ids: z.array(z.string()) });

const rejoining = { first: 250, longest: 20_000 };
/** The waits, in milliseconds, after the server closed a channel for too many messages. */
const limitedRejoining = { first: 5_000, longest: 20_000 };
/** A `moved` broadcast can be lost like any other, so the topic is checked periodically. */
const topicCheckEvery = 60_000;
/** Any editor can send `moved` at any rate, so it triggers at most this many topic queries. */
const moveQuestions = { most: 4, within: 2_000 };
/** No message is sent after `moved` until the topic is known, so a failed query is retried soon. */
const topicCheckAgain = 2_000;
/** The server closes a channel at the sixth presence call within 30 s. */
const presenceCalls = { most: 4, within: 30_000 };

type HubInput = {
  transport: Transport;
  /** Resolves to the stream's current topic, or null without access. */
  topic(stream: string): Promise<string | null>;
  clock: Clock;
  random: Random;
};

/**
 * Owns all live channels. Each stream has one, which its listeners share and which is rejoined as
 * long as it has a listener.
 */
export function createChannels(input: HubInput): Channels {
  const channels = new Map<string, SharedChannel>();
  const leaveBehind = (epoch: string | null) => {
    for (const channel of channels.values()) channel.workspaceLeft(epoch);
  };
  return {
    subscribe(stream, listener) {
      const channel = channels.get(stream) ?? new SharedChannel(stream, input, leaveBehind);
      channels.set(stream, channel);
      channel.add(listener);
      return {
        state: () => channel.state,
        send: (event, payload) => channel.send(event, payload),
        track: (payload) => channel.track(payload),
        limitHits: () => channel.limitHits,
        epoch: () => channel.epoch,
        close() {
          channel.remove(listener);
          if (channel.idle && channels.get(stream) === channel) {
            channels.delete(stream);
            void channel.close();
          }
        },
      };
    },
    wake() {
      for (const channel of channels.values()) channel.wake();
    },
    async close() {
      const closing = [...channels.values()].map((channel) => channel.close());
      channels.clear();
      await Promise.all(closing);
    },
  };
}

class SharedChannel {
  state: ChannelState = "connecting";
  limitHits = 0;
  private readonly stream: string;
  private readonly input: HubInput;
  /** Makes document channels of other epochs than this one query their topics. Null means all. */
  private readonly leaveBehind: (epoch: string | null) => void;
  private readonly listeners = new Set<ChannelListener>();
  private channel: { topic: string; transport: TransportChannel } | null = null;
  private people: PresenceEntry[] = [];
  private presence: Record<string, unknown> | null = null;
  private presenceCallTimes: number[] = [];
  /** The number of received `moved` broadcasts, and how many of them the last query covered. */
  private moves = 0;
  private movesAsked = 0;
  private moveQuestionTimes: number[] = [];
  private cancelMoveQuestion: (() => void) | null = null;
  private attempt = 0;
  private generation = 0;
  private closed = false;
  private cancelTimer = () => {};
  private cancelTrack = () => {};

  constructor(stream: string, input: HubInput, leaveBehind: (epoch: string | null) => void) {
    this.stream = stream;
    this.input = input;
    this.leaveBehind = leaveBehind;
    void this.start();
  }

  get idle() {
    return this.listeners.size === 0;
  }

  get epoch(): string | null {
    return this.channel?.topic.split(":").at(-1) ?? null;
  }

  add(listener: ChannelListener) {
    this.listeners.add(listener);
    listener.state?.(this.state);
    if (this.people.length > 0) listener.presence?.(this.people);
  }

  remove(listener: ChannelListener) {
    this.listeners.delete(listener);
  }

  send(event: string, payload: unknown): boolean {
    // A client that lost the right to read may still listen on the old topic.
    if (this.state !== "joined" || !this.channel || this.movesAsked < this.moves) return false;
    this.channel.transport.send(event, payload);
    return true;
  }

  track(payload: Record<string, unknown>) {
    if (JSON.stringify(payload) === JSON.stringify(this.presence)) return;
    this.presence = payload;
    this.announcePresence();
  }

  wake() {
    if (this.closed) return;
    if (this.state === "joined") void this.moveIfRenamed();
    else if (this.state === "waiting" || this.state === "gone") void this.start();
  }

  workspaceLeft(epoch: string | null) {
    if (this.isOf("document") && this.epoch !== epoch) this.hearMove();
  }

  async close() {
    this.closed = true;
    await this.drop();
  }

  private async start() {
    const generation = ++this.generation;
    this.cancelTimer();
    this.become("connecting");
    try {
      // The order matters: reading the session may refresh an expired token, which the topic query
      // needs.
      await this.input.transport.refresh();
      const topic = await this.input.topic(this.stream);
      if (generation !== this.generation || this.closed) return;
      if (topic === null) this.become("gone");
      else this.join(topic);
    } catch {
      // The failure is not reported: the state is `waiting`, and a retry is scheduled.
      if (generation === this.generation && !this.closed) this.retry(false);
    }
  }

  private join(topic: string) {
    const generation = this.generation;
    const current = (act: () => void) => () => {
      if (generation === this.generation && !this.closed) act();
    };
    const transport = this.input.transport.join(topic, {
      joined: current(() => {
        this.attempt = 0;
        this.become("joined");
        this.announcePresence();
        this.watchName();
        // The move may have been announced before this channel joined.
        if (this.isOf("workspace")) this.leaveBehind(this.epoch);
      }),
      lost: ({ limited }) =>
        current(() => {
          void this.drop();
          this.retry(limited);
        })(),
      broadcast: (event, payload) => current(() => this.hear(event, payload))(),
      presence: (entries) =>
        current(() => {
          this.people = entries;
          for (const listener of this.listeners) listener.presence?.(entries);
        })(),
    });
    this.channel = { topic, transport };
  }

  private hear(event: string, payload: unknown) {
    if (event === "moved") {
      this.hearMove();
      // The database notifies only the workspace and its most recently written documents.
      if (this.isOf("workspace")) this.leaveBehind(null);
    } else if (event === "log") {
      const notice = noticeOf(payload);
      if (notice) for (const listener of this.listeners) listener.notice?.(notice);
    } else for (const listener of this.listeners) listener.broadcast?.(event, payload);
  }

  private hearMove() {
    this.moves += 1;
    this.askAfterMove();
  }

  /** Queries the topic now, or as soon as the rate limit allows. */
  private askAfterMove() {
    if (this.cancelMoveQuestion || this.closed) return;
    const now = this.input.clock.elapsed();
    const { most, within } = moveQuestions;
    this.moveQuestionTimes = this.moveQuestionTimes.filter((time) => time > now - within);
    const [oldest] = this.moveQuestionTimes;
    if (this.moveQuestionTimes.length >= most && oldest !== undefined) {
      this.cancelMoveQuestion = this.input.clock.after(oldest + within - now + 1, () => {
        this.cancelMoveQuestion = null;
        this.askAfterMove();
      });
      return;
    }
    this.moveQuestionTimes.push(now);
    void this.moveIfRenamed();
  }

  private isOf(kind: "document" | "workspace"): boolean {
    return this.channel?.topic.startsWith(`${kind}:`) === true;
  }

  /** Queries the topic. Any editor can send `moved`, so only the database decides. */
  private async moveIfRenamed() {
    const { generation, moves } = this;
    try {
      const topic = await this.input.topic(this.stream);
      if (generation !== this.generation || this.closed) return;
      // The answer to an earlier query does not cover a later move.
      this.movesAsked = Math.max(this.movesAsked, moves);
      if (topic === this.channel?.topic) return;
      void this.drop();
      if (topic === null) this.become("gone");
      else void this.start();
    } catch {
      if (generation === this.generation && !this.closed)
        this.watchName(this.movesAsked < this.moves ? topicCheckAgain : topicCheckEvery);
    }
  }

  private watchName(delay = topicCheckEvery) {
    this.cancelTimer();
    this.cancelTimer = this.input.clock.after(delay, () => {
      void this.moveIfRenamed();
      this.watchName();
    });
  }

  private retry(limited: boolean) {
    if (limited) this.limitHits += 1;
    this.attempt += 1;
    const limits = limited ? limitedRejoining : rejoining;
    const delay = backoff(this.input.random, this.attempt, limits);
    this.become("waiting");
    this.cancelTimer();
    this.cancelTimer = this.input.clock.after(delay, () => void this.start());
  }

  private async drop() {
    this.generation += 1;
    this.cancelTimer();
    this.cancelTrack();
    this.cancelMoveQuestion?.();
    this.cancelMoveQuestion = null;
    const transport = this.channel?.transport;
    this.movesAsked = this.moves;
    this.channel = null;
    this.people = [];
    await transport?.close();
  }

  private announcePresence() {
    if (this.state !== "joined" || !this.presence || !this.channel) return;
    this.cancelTrack();
    const now = this.input.clock.elapsed();
    const recent = this.presenceCallTimes.filter((time) => time > now - presenceCalls.within);
    const [oldest] = recent;
    if (recent.length >= presenceCalls.most && oldest !== undefined) {
      const wait = oldest + presenceCalls.within - now + 1;
      this.cancelTrack = this.input.clock.after(wait, () => this.announcePresence());
      return;
    }
    this.presenceCallTimes = [...recent, now];
    this.channel.transport.track(this.presence);
  }

  private become(state: ChannelState) {
    if (this.state === state) return;
    this.state = state;
    for (const listener of this.listeners) listener.state?.(state);
  }
}

function noticeOf(payload: unknown): Notice | null {
  const parsed = notice.safeParse(payload);
  return parsed.success ? parsed.data : null;
}
