import { measureJson } from "../../http/json-measure";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** A reference that a Phoenix client chooses. The server echoes it without interpreting it. */
export type Ref = string | number | null;

export type Encoding = "json" | "binary";

export type Body =
  | { kind: "json"; value: Json }
  /** A broadcast whose payload is forwarded in the bytes that the client encoded. */
  | { kind: "user"; event: string; encoding: Encoding; bytes: Buffer };

/** A client's message, in either version of the protocol. */
export type Inbound = { joinRef: Ref; ref: Ref; topic: string; event: string; body: Body };

/** A message to one channel: a reply or a push. */
export type Outbound = {
  joinRef: Ref;
  ref: Ref;
  topic: string;
  event: string;
  payload: JsonObject;
};

export type Meta = { id: string; replayed?: true };

/** A message to all receivers of a topic. `text` is JSON, so that it is serialised only once. */
export type Announcement =
  | { kind: "json"; event: "broadcast" | "presence_diff"; text: string; id: string | null }
  | { kind: "user"; event: string; encoding: Encoding; bytes: Buffer; meta: Meta | null };

/** One WebSocket message, ready to be sent any number of times. */
export type Frame = { binary: boolean; bytes: Buffer };

export type Serializer = {
  version: "1.0.0" | "2.0.0";
  decode(data: Buffer, binary: boolean): Inbound;
  encode(message: Outbound): Frame;
  /** Returns null if this version of the protocol cannot express the announcement. */
  announce(topic: string, announcement: Announcement): Frame | null;
};

/** A frame that violates the protocol. It is logged and dropped without closing the socket. */
export class FrameError extends Error {
  override name = "FrameError";
}

/** Limits on the JSON of a frame: nesting depth, and number of elements and members. */
export const mostJson = { depth: 64, values: 50_000 };

/** Whether bytes are small enough to be parsed as JSON on the main thread. */
function isModest(bytes: Buffer): boolean {
  const { depth, values } = measureJson(bytes, mostJson);
  return depth <= mostJson.depth && values <= mostJson.values;
}

/** Parses JSON; throws FrameError if it is invalid or exceeds the limits. */
export function parseJson(bytes: Buffer): Json {
  if (!isModest(bytes))
    throw new FrameError(`JSON of more than ${mostJson.depth} levels or ${mostJson.values} values`);
  try {
    const value: Json = JSON.parse(bytes.toString());
    return value;
  } catch {
    throw new FrameError("invalid JSON");
  }
}

/** Whether a value is a JSON object, as opposed to an array, a scalar or null. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a reference as Phoenix allows it, or null for other values. */
export function asRef(value: Json | undefined): Ref {
  return typeof value === "string" || typeof value === "number" ? value : null;
}

/**
 * Returns the payload of a user broadcast as JSON text, for receivers whose protocol has no bytes.
 * Returns null if the payload is binary or too large.
 */
export function broadcastText(announcement: Announcement & { kind: "user" }): string | null {
  if (announcement.encoding === "binary" || !isModest(announcement.bytes)) return null;
  const payload = announcement.bytes.toString();
  try {
    JSON.parse(payload);
  } catch {
    return null;
  }
  const meta = announcement.meta === null ? "" : `,"meta":${JSON.stringify(announcement.meta)}`;
  return `{"type":"broadcast","event":${JSON.stringify(announcement.event)},"payload":${payload}${meta}}`;
}
