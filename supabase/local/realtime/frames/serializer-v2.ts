import { asRef, broadcastText, FrameError, parseJson } from "./frame";
import type { Announcement, Frame, Inbound, Serializer } from "./frame";

const push = 0;
const userBroadcastPush = 3;
const userBroadcast = 4;
const longestHeaderField = 255;

function text(topic: string, event: string, payload: string, joinRef: string, ref: string): Frame {
  const json = `[${joinRef},${ref},${JSON.stringify(topic)},${JSON.stringify(event)},${payload}]`;
  return { binary: false, bytes: Buffer.from(json) };
}

function decodeText(data: Buffer): Inbound {
  const message = parseJson(data);
  if (!Array.isArray(message) || message.length < 5)
    throw new FrameError("expected an array of five elements");
  const [joinRef, ref, topic, event, payload] = message;
  if (typeof topic !== "string" || typeof event !== "string")
    throw new FrameError("topic and event must be strings");
  return {
    joinRef: asRef(joinRef),
    ref: asRef(ref),
    topic,
    event,
    body: { kind: "json", value: payload ?? null },
  };
}

/** Reads length-prefixed strings from a binary frame, whose lengths begin at its second byte. */
class FieldReader {
  private readonly data: Buffer;
  private length = 1;
  private at: number;

  constructor(data: Buffer, start: number) {
    if (data.length < start) throw new FrameError("binary frame is truncated");
    this.data = data;
    this.at = start;
  }

  next(): string {
    const start = this.at;
    this.at += this.data[this.length] ?? 0;
    this.length += 1;
    if (this.at > this.data.length) throw new FrameError("binary frame is truncated");
    return this.data.toString("utf8", start, this.at);
  }

  rest(): Buffer {
    return this.data.subarray(this.at);
  }
}

function decodeBinary(data: Buffer): Inbound {
  const kind = data[0];
  if (kind === push) {
    const reader = new FieldReader(data, 5);
    const head = {
      joinRef: reader.next() || null,
      ref: reader.next() || null,
      topic: reader.next(),
      event: reader.next(),
    };
    return { ...head, body: { kind: "json", value: null } };
  }
  if (kind !== userBroadcastPush) throw new FrameError(`unknown binary frame kind ${String(kind)}`);
  const reader = new FieldReader(data, 7);
  const joinRef = reader.next() || null;
  const ref = reader.next() || null;
  const topic = reader.next();
  const event = reader.next();
  const metadata = reader.next();
  if (metadata !== "") parseJson(Buffer.from(metadata));
  const encoding = data[6] === 0 ? "binary" : "json";
  return {
    joinRef,
    ref,
    topic,
    event: "broadcast",
    body: { kind: "user", event, encoding, bytes: reader.rest() },
  };
}

function encodeUserBroadcast(
  topicText: string,
  announcement: Announcement & { kind: "user" },
): Frame | null {
  const topic = Buffer.from(topicText);
  const event = Buffer.from(announcement.event);
  const meta = Buffer.from(announcement.meta === null ? "" : JSON.stringify(announcement.meta));
  if (Math.max(topic.length, event.length, meta.length) > longestHeaderField) return null;
  const head = [
    userBroadcast,
    topic.length,
    event.length,
    meta.length,
    announcement.encoding === "json" ? 1 : 0,
  ];
  return {
    binary: true,
    bytes: Buffer.concat([Buffer.from(head), topic, event, meta, announcement.bytes]),
  };
}

/**
 * Protocol version 2.0.0: text frames with one JSON array, and binary frames for broadcasts (kinds
 * 3 and 4).
 */
export const serializerV2: Serializer = {
  version: "2.0.0",

  decode: (data, binary) => (binary ? decodeBinary(data) : decodeText(data)),

  encode({ joinRef, ref, topic, event, payload }) {
    return text(
      topic,
      event,
      JSON.stringify(payload),
      JSON.stringify(joinRef),
      JSON.stringify(ref),
    );
  },

  announce(topic, announcement) {
    if (announcement.kind === "json")
      return text(topic, announcement.event, announcement.text, "null", "null");
    const frame = encodeUserBroadcast(topic, announcement);
    if (frame !== null) return frame;
    // A header field of more than 255 bytes does not fit a binary frame. JSON payloads are then
    // sent as text.
    const payload = broadcastText(announcement);
    return payload === null ? null : text(topic, "broadcast", payload, "null", "null");
  },
};
