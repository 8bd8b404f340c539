import type { Channel } from "./channel";
import { presenceEvent } from "./channel-presence";
import { FrameError } from "./frames/frame";
import type { Frame, Inbound, Json, Outbound, Serializer } from "./frames/frame";
import type { Hub } from "./hub";
import { isTopic, joinChannel } from "./join";
import type { Joiner } from "./join";
import { sessionSentence } from "./topics/product-topics";

/** The WebSocket of a connection. */
export type Transport = {
  send(frame: Frame): void;
  close(code: number): void;
  /** Stops and resumes reading, so that a client that sends too fast fills its own TCP buffer. */
  pause(): void;
  resume(): void;
};

const mostWaiting = 64;
/** The limit in bytes, since single frames may be large. */
const mostBytesWaiting = 8_000_000;

/** The connection of one client, which handles frames strictly in sequence. */
export class Connection implements Joiner {
  readonly serializer: Serializer;
  readonly headers: Record<string, string>;
  readonly token: string;
  readonly address: string;
  private readonly hub: Hub;
  private readonly transport: Transport;
  private readonly channels = new Map<string, Channel>();
  private readonly waiting: { data: Buffer; binary: boolean }[] = [];
  private bytesWaiting = 0;
  private paused = false;
  private busy = false;
  private open = true;

  constructor(
    hub: Hub,
    transport: Transport,
    client: {
      serializer: Serializer;
      token: string;
      headers: Record<string, string>;
      address: string;
    },
  ) {
    this.hub = hub;
    this.transport = transport;
    this.serializer = client.serializer;
    this.token = client.token;
    this.headers = client.headers;
    this.address = client.address;
  }

  get channelCount(): number {
    return this.channels.size;
  }

  send(frame: Frame): void {
    if (this.open) this.transport.send(frame);
  }

  push(message: Outbound): void {
    this.send(this.serializer.encode(message));
  }

  release(channel: Channel): void {
    if (this.channels.get(channel.topic) === channel) this.channels.delete(channel.topic);
  }

  /** Handles one WebSocket message after all earlier messages. */
  receive(data: Buffer, binary: boolean): void {
    if (this.busy) {
      this.waiting.push({ data, binary });
      this.bytesWaiting += data.length;
      this.readIfRoom();
      return;
    }
    const work = this.handle(data, binary);
    if (work === undefined) return;
    this.busy = true;
    void this.drain(work);
  }

  /** Ends the connection when the socket closes: every channel leaves its topic. */
  end(): void {
    this.open = false;
    this.waiting.length = 0;
    this.bytesWaiting = 0;
    for (const channel of this.channels.values()) channel.leave();
    this.channels.clear();
    this.hub.usage.connected.delete(this);
  }

  /** Stops the channels that depend on this session. Disconnects if there was such a channel. */
  endSession(session: string): void {
    const own = [...this.channels.values()].filter((channel) => channel.session === session);
    for (const channel of own) channel.stop(sessionSentence);
    if (own.length > 0) this.disconnect(1001, false);
  }

  /** Announces the disconnect on every channel, and closes with a WebSocket close code. */
  disconnect(code: number, announced: boolean): void {
    if (announced) {
      for (const channel of this.channels.values()) {
        channel.push("system", {
          extension: "system",
          status: "ok",
          message: "Server requested disconnect",
        });
      }
    }
    this.end();
    this.transport.close(code);
  }

  private async drain(first: Promise<void>): Promise<void> {
    await first;
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      this.bytesWaiting -= next.data.length;
      this.readIfRoom();
      await this.handle(next.data, next.binary);
    }
    this.busy = false;
  }

  private readIfRoom(): void {
    const full = this.waiting.length >= mostWaiting || this.bytesWaiting >= mostBytesWaiting;
    if (full === this.paused) return;
    this.paused = full;
    if (full) this.transport.pause();
    else this.transport.resume();
  }

  private handle(data: Buffer, binary: boolean): Promise<void> | undefined {
    let message: Inbound;
    try {
      message = this.serializer.decode(data, binary);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      this.hub.log(`realtime: dropped a malformed frame: ${error.message}`);
      return;
    }
    try {
      const work = this.rest(message) ?? this.route(message);
      return work?.catch((error: unknown) => this.crash(message, error));
    } catch (error) {
      this.crash(message, error);
    }
  }

  /** Handles the message after a delay if the channel's person exceeded the delivery limit. */
  private rest(message: Inbound): Promise<void> | undefined {
    const { deliveries } = this.hub.shares;
    const person = this.channels.get(message.topic)?.person ?? null;
    if (deliveries.restOf(person) === 0) return undefined;
    return deliveries.rested(person).then(() => (this.open ? this.route(message) : undefined));
  }

  private route(message: Inbound): Promise<void> | undefined {
    const { topic, event, joinRef } = message;
    if (topic === "phoenix" && event === "heartbeat") {
      this.answer({ ...message, joinRef: null }, "ok", {});
      return;
    }
    const channel = this.channels.get(topic);
    if (event === "phx_join") return this.join(message, channel);
    if (event === "phx_leave") {
      if (channel !== undefined && joinRef !== null && joinRef !== channel.joinRef) return;
      this.answer(message, "ok", {});
      if (channel === undefined) return;
      this.drop(channel);
      channel.close();
      return;
    }
    if (channel !== undefined) {
      const answered =
        event === "presence" ? presenceEvent(channel, message) : channel.handle(message);
      return answered ?? undefined;
    }
    this.answer({ ...message, joinRef: null }, "error", { reason: "unmatched topic" });
  }

  private async join(message: Inbound, previous: Channel | undefined): Promise<void> {
    if (!isTopic(message.topic)) {
      return this.answer({ ...message, joinRef: null }, "error", { reason: "unmatched topic" });
    }
    if (previous !== undefined) this.drop(previous);
    const outcome = await joinChannel(this.hub, this, message);
    if (!this.open) {
      if (outcome.ok) outcome.channel.leave();
      this.hub.usage.connected.delete(this);
      return;
    }
    if (outcome.ok) {
      this.channels.set(message.topic, outcome.channel);
      this.answer(message, "ok", outcome.response);
      // The join_ref tells the client that the previous channel is the closed one.
      previous?.close();
      outcome.begin();
      return;
    }
    this.hub.log(`realtime: refused ${message.topic}: ${outcome.reason}`);
    await new Promise<void>((resolve) => this.hub.clock.after(this.hub.joinBackoff, resolve));
    this.answer(message, "error", { reason: outcome.reason });
    previous?.close();
    if (outcome.disconnect === true) this.disconnect(1001, false);
  }

  private drop(channel: Channel): void {
    this.release(channel);
    channel.leave();
  }

  private answer({ joinRef, ref, topic }: Inbound, status: "ok" | "error", response: Json): void {
    this.push({ joinRef, ref, topic, event: "phx_reply", payload: { status, response } });
  }

  /** Ends the channel in which an error occurred, as Phoenix does. The client rejoins. */
  private crash({ topic, joinRef, ref, event }: Inbound, error: unknown): void {
    this.hub.log(
      `realtime: ${event} on ${topic} failed: ` +
        `${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    const channel = this.channels.get(topic);
    if (channel === undefined) {
      if (event === "phx_join")
        this.answer({ topic, joinRef, ref, event, body: { kind: "json", value: null } }, "error", {
          reason: "Unknown Error on Channel",
        });
      return;
    }
    channel.push("phx_error", {});
    this.drop(channel);
  }
}
