import { AuthorizationFault } from "./authorizer";
import type { AccessContext, ReadRights } from "./authorizer";
import type {
  Announcement,
  Frame,
  Inbound,
  Json,
  JsonObject,
  Outbound,
  Ref,
  Serializer,
} from "./frames/frame";
import { faultSentence } from "./hub";
import type { Hub } from "./hub";
import type { JoinPayload } from "./join-payload";
import { PresenceCalls } from "./limits";
import type { PresenceDiff } from "./presence";
import { keySentence, mayUseKey, sessionSentence, watchedSession } from "./topics/product-topics";
import type { TopicMembers } from "./topic-members";
import { isOpaqueKey, tokenSentence } from "./token";
import type { Claims } from "./token";

/** The part of a connection that a channel uses. */
export type Peer = {
  serializer: Serializer;
  headers: Record<string, string>;
  send(frame: Frame): void;
  push(message: Outbound): void;
  /** Frees the topic of a channel that has ended by itself. */
  release(channel: Channel): void;
};

/** Null rights have not been evaluated yet. Public channels have all rights. */
export type Rights = {
  broadcast: { read: boolean; write: boolean | null };
  presence: { read: boolean | null; write: boolean | null };
};

const longestTrust = 5 * 60_000;

/** Returns the rights after a join or a new token. Write policies are evaluated on first use. */
export function readable(read: ReadRights): Rights {
  return {
    broadcast: { read: read.broadcast, write: null },
    presence: { read: read.presence, write: null },
  };
}

/** Returns the rights on a public channel. */
export function openRights(): Rights {
  return { broadcast: { read: true, write: true }, presence: { read: true, write: true } };
}

/** A connection's membership of one topic. */
export class Channel {
  readonly hub: Hub;
  readonly peer: Peer;
  readonly topic: string;
  readonly subTopic: string;
  readonly joinRef: Ref;
  readonly join: JoinPayload;
  readonly presenceKey: string;
  /** The person whose limits this channel counts against, or null for the service. */
  readonly person: string | null;
  readonly presenceCalls: PresenceCalls;
  /** Ids of messages replayed to this channel, which must not be delivered again. */
  readonly replayed = new Set<string>();
  rights: Rights;
  presenceEnabled: boolean;
  private joinedMembers: TopicMembers | null = null;
  private token: string;
  private claims: Claims;
  private cancelExpiry: () => void = () => {};

  constructor(
    hub: Hub,
    peer: Peer,
    start: {
      topic: string;
      subTopic: string;
      joinRef: Ref;
      join: JoinPayload;
      token: string;
      claims: Claims;
      person: string | null;
      rights: Rights;
    },
  ) {
    this.hub = hub;
    this.peer = peer;
    this.topic = start.topic;
    this.subTopic = start.subTopic;
    this.joinRef = start.joinRef;
    this.join = start.join;
    this.person = start.person;
    this.rights = start.rights;
    this.presenceKey = start.join.presenceKey ?? hub.newId();
    this.presenceCalls = new PresenceCalls(hub.clock);
    this.presenceEnabled = start.join.presenceEnabled;
    this.token = start.token;
    this.claims = start.claims;
  }

  get serializer(): Serializer {
    return this.peer.serializer;
  }

  /** Null before the channel joins its topic and after it leaves. */
  get topicMembers(): TopicMembers | null {
    return this.joinedMembers;
  }

  /** The session whose end closes this channel. Null on topics that are not the product's. */
  get session(): string | null {
    return watchedSession(this.subTopic, this.claims);
  }

  get context(): AccessContext {
    return { topic: this.subTopic, claims: this.claims, headers: this.peer.headers };
  }

  /** Adds the channel to the topic, or returns the limit that the person has reached. */
  enter(): "entered" | "channels" | "channels on this topic" {
    const place = this.hub.shares.enter(this.person, this.topic);
    if (place !== "entered") return place;
    this.joinedMembers = this.hub.topics.enter(this.subTopic, this.join.private, this);
    this.watchExpiry();
    return place;
  }

  /** Leaves the topic, and sends its members the presence diff. The client gets no message. */
  leave(): void {
    const topicMembers = this.joinedMembers;
    this.cancelExpiry();
    if (topicMembers === null) return;
    this.joinedMembers = null;
    this.hub.topics.leave(this.subTopic, this.join.private, this);
    this.hub.shares.leave(this.person, this.topic);
    const diff = topicMembers.presence.untrack(this);
    if (diff !== null) this.publishDiff(topicMembers, diff);
  }

  /** Sends a presence diff to the members of a topic, and charges it to this person. */
  publishDiff(topicMembers: TopicMembers, diff: PresenceDiff): void {
    const text = JSON.stringify(diff);
    const told = topicMembers.publish({ kind: "json", event: "presence_diff", text, id: null });
    this.hub.shares.deliveries.charge(this.person, told, text.length);
  }

  receives(announcement: Announcement): boolean {
    if (announcement.kind === "json" && announcement.event === "presence_diff")
      return this.rights.presence.read === true;
    if (!this.rights.broadcast.read) return false;
    const id = announcement.kind === "json" ? announcement.id : (announcement.meta?.id ?? null);
    return id === null || !this.replayed.has(id);
  }

  deliver(frame: Frame, announcement: Announcement): void {
    this.peer.send(frame);
    if (announcement.kind === "json" && announcement.event === "presence_diff") {
      this.hub.usage.presence.add();
      return;
    }
    this.hub.usage.messages.add();
    if (this.hub.usage.messages.triggered) this.stop("Too many messages per second");
  }

  push(event: string, payload: JsonObject): void {
    this.peer.push({ joinRef: this.joinRef, ref: null, topic: this.topic, event, payload });
  }

  reply(ref: Ref, status: "ok" | "error", response: Json): void {
    this.peer.push({
      joinRef: this.joinRef,
      ref,
      topic: this.topic,
      event: "phx_reply",
      payload: { status, response },
    });
  }

  system(extension: "system" | "postgres_changes", status: "ok" | "error", message: string): void {
    this.push("system", { extension, status, message, channel: this.subTopic });
  }

  /** Notifies the client that the channel is closed. */
  close(): void {
    this.peer.push({
      joinRef: this.joinRef,
      ref: this.joinRef,
      topic: this.topic,
      event: "phx_close",
      payload: {},
    });
  }

  /** Ends the channel, and sends the client a reason. */
  stop(message: string): void {
    if (this.joinedMembers === null) return;
    this.system("system", "error", message);
    this.close();
    this.leave();
    this.peer.release(this);
  }

  handle(message: Inbound): void | Promise<void> {
    switch (message.event) {
      case "broadcast":
        return this.broadcast(message);
      case "access_token":
        return this.newToken(message);
      default:
        this.hub.usage.messages.add();
        this.hub.log(
          `realtime: unexpected event ${JSON.stringify(message.event)} on ${this.topic}`,
        );
    }
  }

  /** Evaluates the write policies of both extensions. A failed query changes no rights. */
  async learnToWrite(): Promise<void> {
    const { rights } = this;
    const write = await this.hub.authorizer.write(this.context);
    rights.broadcast.write = write.broadcast;
    rights.presence.write = write.presence;
  }

  private broadcast(message: Inbound): void | Promise<void> {
    if (this.rights.broadcast.write !== null) return this.relay(message);
    return this.learnToWrite().then(
      () => this.relay(message),
      // Hosted Realtime also drops the message silently. The next message queries again.
      (error: unknown) =>
        this.hub.log(`realtime: ${this.topic}: could not authorize a write: ${String(error)}`),
    );
  }

  private relay({ body, ref }: Inbound): void {
    if (this.rights.broadcast.write !== true || this.joinedMembers === null) return;
    let announcement: Announcement;
    let size: number;
    if (body.kind === "user") {
      announcement = { ...body, meta: null };
      size = body.bytes.length + Buffer.byteLength(body.event);
    } else {
      if (typeof body.value !== "object" || body.value === null) return;
      const text = JSON.stringify(body.value);
      announcement = { kind: "json", event: "broadcast", text, id: null };
      size = Buffer.byteLength(text);
    }
    this.hub.usage.messages.add();
    if (size > this.hub.usage.limits.payloadBytes) {
      if (this.join.ack) this.reply(ref, "error", "payload_size_exceeded");
      return;
    }
    const told = this.joinedMembers.publish(announcement, this.join.self ? undefined : this);
    this.hub.shares.deliveries.charge(this.person, told, size);
    if (this.join.ack) this.reply(ref, "ok", {});
  }

  private async newToken({ body }: Inbound): Promise<void> {
    const payload = body.kind === "json" ? body.value : null;
    const token =
      typeof payload === "object" && payload !== null && !Array.isArray(payload)
        ? payload.access_token
        : null;
    if (typeof token !== "string" || isOpaqueKey(token) || token === this.token) return;
    const verdict = this.hub.verify(token, this.hub.clock.now());
    if (!verdict.ok) return this.stop(tokenSentence(verdict.error));
    if (this.join.private && !mayUseKey(this.subTopic, this.presenceKey, verdict.claims))
      return this.stop(keySentence);
    const session = watchedSession(this.subTopic, verdict.claims);
    if (session !== null && !(await this.hub.sessions.holds(session)))
      return this.stop(sessionSentence);
    this.token = token;
    this.claims = verdict.claims;
    this.watchExpiry();
    if (this.join.private) await this.readAgain();
  }

  private async readAgain(): Promise<void> {
    const before = this.rights;
    try {
      this.rights = readable(await this.hub.authorizer.read(this.context, this.presenceEnabled));
    } catch (error) {
      if (!(error instanceof AuthorizationFault)) throw error;
      this.hub.log(`realtime: ${this.topic}: could not authorize a read: ${error.message}`);
      return this.stop(faultSentence(error.fault, this.subTopic));
    }
    const { broadcast, presence } = this.rights;
    if (!broadcast.read && presence.read !== true)
      return this.stop(faultSentence("policy", this.subTopic));
    if (
      (before.broadcast.read && !broadcast.read) ||
      (before.presence.read === true && presence.read === false)
    ) {
      this.stop(`You no longer have permission to read from this Channel topic: ${this.subTopic}`);
    }
  }

  private watchExpiry(): void {
    this.cancelExpiry();
    const left = this.claims.exp * 1000 - this.hub.clock.now();
    // A fractional expiry is rounded, so the timer may fire slightly before the token expires.
    this.cancelExpiry = this.hub.clock.after(left > 0 ? Math.min(longestTrust, left) : 1000, () => {
      const verdict = this.hub.verify(this.token, this.hub.clock.now());
      if (verdict.ok) this.watchExpiry();
      else this.stop(tokenSentence(verdict.error));
    });
  }
}
