import { asRef, broadcastText, FrameError, isObject, parseJson } from "./frame";
import type { Frame, Serializer } from "./frame";

function text(topic: string, event: string, payload: string, ref: string): Frame {
  const json = `{"topic":${JSON.stringify(topic)},"event":${JSON.stringify(event)},"payload":${payload},"ref":${ref}}`;
  return { binary: false, bytes: Buffer.from(json) };
}

/**
 * Protocol version 1.0.0: text frames with one JSON object. It has no binary frames and sends no
 * join_ref.
 */
export const serializerV1: Serializer = {
  version: "1.0.0",

  decode(data, binary) {
    if (binary) throw new FrameError("version 1.0.0 has no binary frames");
    const message = parseJson(data);
    if (!isObject(message)) throw new FrameError("expected an object");
    const { topic, event, payload, ref, join_ref: joinRef } = message;
    if (typeof topic !== "string" || typeof event !== "string")
      throw new FrameError("topic and event must be strings");
    if (payload === undefined || ref === undefined)
      throw new FrameError("payload and ref must be present");
    return {
      joinRef: asRef(joinRef),
      ref: asRef(ref),
      topic,
      event,
      body: { kind: "json", value: payload },
    };
  },

  encode({ topic, event, payload, ref }) {
    return text(topic, event, JSON.stringify(payload), JSON.stringify(ref));
  },

  announce(topic, announcement) {
    if (announcement.kind === "json")
      return text(topic, announcement.event, announcement.text, "null");
    const payload = broadcastText(announcement);
    return payload === null ? null : text(topic, "broadcast", payload, "null");
  },
};
