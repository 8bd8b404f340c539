import { AuthorizationFault } from "./authorizer";
import { Channel, openRights, readable } from "./channel";
import type { Peer, Rights } from "./channel";
import { syncPresence } from "./channel-presence";
import { isObject } from "./frames/frame";
import type { Inbound, JsonObject } from "./frames/frame";
import { faultReason, faultSentence } from "./hub";
import type { Hub } from "./hub";
import { readJoinPayload } from "./join-payload";
import type { JoinPayload } from "./join-payload";
import { mostOfJoin } from "./limits";
import { describeChanges, withIds } from "./postgres-changes";
import { keySentence, mayUseKey, sessionSentence, watchedSession } from "./topics/product-topics";
import { readReplay } from "./replay";
import type { Replayed } from "./replay";
import { perPerson, personOf } from "./shares";
import { isOpaqueKey, tokenCode, tokenSentence } from "./token";

const prefix = "realtime:";

/** With `disconnect`, the connection closes after the refusal. */
type JoinRefusal = { ok: false; reason: string; disconnect?: true };
type Joined = { ok: true; channel: Channel; response: JsonObject; begin(): void };

export type Joiner = Peer & { token: string; address: string; channelCount: number };

const tooManyJoins: JoinRefusal = {
  ok: false,
  reason: "ClientJoinRateLimitReached: Too many joins per second",
  disconnect: true,
};

function refuse(reason: string): JoinRefusal {
  return { ok: false, reason };
}

/** Whether this server serves a topic. */
export function isTopic(topic: string): boolean {
  return topic.startsWith(prefix);
}

function overLimit(hub: Hub, peer: Joiner): JoinRefusal | null {
  const { limits, connected, joins } = hub.usage;
  if (!connected.has(peer) && connected.size >= limits.connections) {
    return refuse("ConnectionRateLimitReached: Too many connected users");
  }
  if (joins.triggered) {
    return tooManyJoins;
  }
  joins.add();
  return peer.channelCount >= limits.channelsPerConnection
    ? refuse("ChannelRateLimitReached: Too many channels")
    : null;
}

/**
 * Whether parts of a join are too long. A channel keeps these parts while it is joined, and sends
 * its presence key to all members.
 */
function tooLong(
  subTopic: string,
  { body }: Inbound,
  { presenceKey }: JoinPayload,
): JoinRefusal | null {
  const { topic, presenceKey: key, payload } = mostOfJoin;
  if (Buffer.byteLength(subTopic) > topic)
    return refuse(`TopicNameTooLong: A topic name may have at most ${topic} bytes`);
  if (Buffer.byteLength(presenceKey ?? "") > key)
    return refuse(`PresenceKeyTooLong: A presence key may have at most ${key} bytes`);
  const size =
    body.kind === "json" ? Buffer.byteLength(JSON.stringify(body.value)) : body.bytes.length;
  return size > payload
    ? refuse(`JoinTooLarge: The payload of a join may have at most ${payload} bytes`)
    : null;
}

async function replayed(
  hub: Hub,
  join: JoinPayload,
  topic: string,
  rights: Rights,
): Promise<Replayed[] | JoinRefusal> {
  if (join.replay === undefined) return [];
  if (!join.private)
    return refuse("UnableToReplayMessages: Replay is not allowed for public channels");
  if (!rights.broadcast.read) return refuse(faultReason("policy", topic));
  if (!isObject(join.replay)) return [];
  const replayed = readReplay(join.replay);
  if (replayed === null) return refuse("UnableToReplayMessages: Replay params are not valid");
  try {
    return await hub.replay(topic, replayed.since, replayed.limit);
  } catch (error) {
    hub.log(`realtime: cannot replay ${topic}: ${String(error)}`);
    return refuse("UnableToReplayMessages: Realtime was unable to replay messages");
  }
}

/**
 * Handles a join with Supabase's checks in their order. An accepted channel is already a member of
 * its topic. `begin` sends the messages that follow the reply.
 */
export async function joinChannel(
  hub: Hub,
  peer: Joiner,
  message: Inbound,
): Promise<Joined | JoinRefusal> {
  const { topic, joinRef, ref } = message;
  const subTopic = topic.slice(prefix.length);
  if (subTopic === "") return refuse("TopicNameRequired: You must provide a topic name");
  const join = readJoinPayload(message.body.kind === "json" ? message.body.value : null);
  if (join.problems.length > 0) hub.log(`realtime: join of ${topic}: ${join.problems.join("; ")}`);

  const limit = overLimit(hub, peer) ?? tooLong(subTopic, message, join);
  if (limit !== null) return limit;

  const token = join.token === null || isOpaqueKey(join.token) ? peer.token : join.token;
  const verdict = hub.verify(token, hub.clock.now());
  if (!verdict.ok) return refuse(`${tokenCode(verdict.error)}: ${tokenSentence(verdict.error)}`);

  const session = watchedSession(subTopic, verdict.claims);
  const hasEnded = refuse(`InvalidJWTToken: ${sessionSentence}`);
  if (session !== null && !(await hub.sessions.holds(session))) return hasEnded;
  if (join.private && !mayUseKey(subTopic, join.presenceKey, verdict.claims))
    return refuse(`PresenceKeyNotAllowed: ${keySentence}`);

  const person = personOf(verdict.claims, peer.address);
  if (!hub.shares.mayJoin(person)) return tooManyJoins;
  await hub.shares.deliveries.rested(person);

  let rights = openRights();
  if (join.private) {
    try {
      const context = { topic: subTopic, claims: verdict.claims, headers: peer.headers };
      rights = readable(await hub.authorizer.read(context, join.presenceEnabled));
    } catch (error) {
      if (!(error instanceof AuthorizationFault)) throw error;
      hub.log(`realtime: ${topic}: could not authorize a read: ${error.message}`);
      return refuse(faultReason(error.fault, subTopic));
    }
    if (!rights.broadcast.read && rights.presence.read !== true)
      return refuse(`Unauthorized: ${faultSentence("policy", subTopic)}`);
  }

  const channel = new Channel(hub, peer, {
    topic,
    subTopic,
    joinRef: joinRef ?? ref,
    join,
    token,
    claims: verdict.claims,
    person,
    rights,
  });
  const history = await replayed(hub, join, subTopic, rights);
  if (!Array.isArray(history)) return history;
  if (join.waitForPostgresChanges && join.postgresChanges.length > 0) {
    return refuse(`RealtimeDisabledForConfiguration: ${describeChanges(join.postgresChanges)}`);
  }

  // The session may have ended during the policy query.
  if (session !== null && hub.sessions.hasEnded(session)) return hasEnded;
  for (const { id } of history) channel.replayed.add(id);
  const place = channel.enter();
  if (place !== "entered") {
    const most = place === "channels" ? perPerson.channels : perPerson.channelsOnTopic;
    return refuse(`ChannelRateLimitReached: Too many ${place} (one person may have ${most})`);
  }
  hub.usage.connected.add(peer);
  return {
    ok: true,
    channel,
    response: { postgres_changes: withIds(join.postgresChanges) },
    begin: () => begin(channel, history),
  };
}

function begin(channel: Channel, history: Replayed[]): void {
  for (const message of history) {
    const meta = { replayed: true, id: message.id } as const;
    if ("text" in message) {
      const payload = {
        type: "broadcast",
        event: message.event,
        payload: JSON.parse(message.text),
        meta,
      };
      channel.push("broadcast", payload);
      continue;
    }
    const frame = channel.serializer.announce(channel.topic, {
      kind: "user",
      event: message.event,
      encoding: "binary",
      bytes: message.bytes,
      meta,
    });
    if (frame !== null) channel.peer.send(frame);
  }
  const { join } = channel;
  if (join.postgresChanges.length > 0) {
    const sentence = describeChanges(join.postgresChanges);
    channel.hub.log(`realtime: ${channel.topic}: ${sentence}`, "warn");
    channel.system("postgres_changes", "error", sentence);
  }
  if (join.replicationReady) channel.system("system", "ok", "Replication connection established");
  syncPresence(channel);
}
