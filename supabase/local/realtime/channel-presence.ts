import type { Channel } from "./channel";
import { isObject } from "./frames/frame";
import type { Inbound, Json, JsonObject } from "./frames/frame";
import { mostPresence } from "./limits";
import type { PresenceDiff } from "./presence";

/** Handles a client's `presence` event: track or untrack. */
export function presenceEvent(channel: Channel, message: Inbound): void | Promise<void> {
  const payload =
    message.body.kind === "json" && isObject(message.body.value) ? message.body.value : {};
  if (payload.event === undefined) return channel.reply(message.ref, "ok", {});
  const isAdmitted =
    channel.presenceCalls.admit() && channel.hub.shares.mayCall(channel.person, channel.topic);
  if (!isAdmitted) return channel.stop("Client presence rate limit exceeded");

  const event = typeof payload.event === "string" ? payload.event.toLowerCase() : "";
  if (event === "untrack") {
    announce(channel, channel.topicMembers?.presence.untrack(channel) ?? null);
    return channel.reply(message.ref, "ok", {});
  }
  if (event !== "track") {
    channel.hub.log(
      `realtime: unknown presence event ${JSON.stringify(payload.event)} on ${channel.topic}`,
    );
    return channel.reply(message.ref, "error", {});
  }
  const tracked = payload.payload ?? {};
  if (channel.rights.presence.write !== null) return track(channel, message, tracked);
  return authorize(channel).then(
    () => track(channel, message, tracked),
    (error: unknown) => {
      channel.hub.log(`realtime: ${channel.topic}: could not authorize presence: ${String(error)}`);
      channel.reply(message.ref, "error", {});
    },
  );
}

/**
 * Evaluates the read policy now if it was not evaluated at the join: tracking enables presence on a
 * channel that joined without it.
 */
async function authorize(channel: Channel): Promise<void> {
  const { rights } = channel;
  if (rights.presence.read === null) {
    rights.presence.read = (await channel.hub.authorizer.read(channel.context, true)).presence;
  }
  await channel.learnToWrite();
}

function track(channel: Channel, { ref }: Inbound, payload: Json): void {
  const { topicMembers } = channel;
  if (topicMembers === null) return;
  if (channel.rights.presence.write !== true) return channel.reply(ref, "error", {});
  if (!isObject(payload))
    return channel.reply(ref, "error", { reason: "Presence track payload must be a map" });
  const { usage } = channel.hub;
  if (Buffer.byteLength(JSON.stringify(payload)) > mostPresence)
    return channel.stop("Track message size exceeded");
  if (usage.presence.average > usage.limits.presencePerSecond)
    return channel.stop("Too many presence messages per second");

  const diff = topicMembers.presence.track(
    channel,
    channel.presenceKey,
    payload,
    channel.hub.newId(),
    channel.person,
  );
  if (diff === "full")
    return channel.reply(ref, "error", { reason: "Too many presences on this topic" });
  if (diff !== null) usage.presence.add();
  channel.presenceEnabled = true;
  // The diff is sent first, because some clients look for their own join after the reply.
  announce(channel, diff);
  channel.reply(ref, "ok", {});
}

function announce(channel: Channel, diff: PresenceDiff | null): void {
  const { topicMembers } = channel;
  if (diff !== null && topicMembers !== null) channel.publishDiff(topicMembers, diff);
}

/** Sends the presence state to a channel that has just joined. */
export function syncPresence(channel: Channel): void {
  const { topicMembers, hub } = channel;
  if (topicMembers === null || !channel.presenceEnabled || channel.rights.presence.read !== true)
    return;
  if (hub.usage.presence.average > hub.usage.limits.presencePerSecond) {
    return channel.stop("Too many presence messages per second");
  }
  hub.usage.presence.add();
  const state: JsonObject = topicMembers.presence.state();
  hub.shares.deliveries.charge(channel.person, 1, topicMembers.presence.bytes);
  channel.push("presence_state", state);
}
