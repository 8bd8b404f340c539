import { storableJson, storableText } from "./text/storable-text";
import { fromBase64, toBase64 } from "./bytes/base64";
import type { EventType, TypedEvent } from "./event-types";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type StreamKind = "account" | "workspace" | "document";

/**
 * The subject whose lifecycle an event belongs to: the stream itself, or a subject inside the
 * stream.
 */
export type Subject = { kind: string; id: string };

/**
 * An event in the shape in which a client sends it to the log. Only the database knows whether its
 * type exists.
 */
export type RawProposal = {
  id: string;
  type: string;
  body: Json;
  subject?: Subject;
  update?: Uint8Array;
  clientIds?: number[];
  schema?: number;
  clientTime?: string;
  /**
   * The title, name or icon that this event replaces. The database refuses the event if the current
   * value differs.
   */
  replaces?: string;
};

/**
 * An event that a client asks to append. `id` is the idempotency key. Without a `subject`, the
 * event concerns its stream.
 */
export type Proposal<T extends EventType = EventType> = Omit<RawProposal, "type" | "body"> &
  TypedEvent<T>;

/**
 * The database's acknowledgement (*ruling*) of one proposal. Sending the same proposal again
 * returns the same ruling.
 */
export type Ruling = {
  id: string;
  version: number;
  hash: string;
  recordedAt: string;
  toPhase: string;
};

/**
 * One row of the log with its payload. Hashes and salt are hex. Times are ISO 8601 in UTC with
 * microseconds.
 */
export type Ruled = {
  id: string;
  streamId: string;
  streamKind: StreamKind;
  workspaceId: string | null;
  version: number;
  /** The position in the workspace's feed. Null in an account's stream. */
  position: number | null;
  type: string;
  subject: Subject;
  fromPhase: string;
  toPhase: string;
  schema: number;
  actorId: string;
  /**
   * The Yjs client ids that this event bound to its actor in this stream. Ids bound earlier are not
   * repeated.
   */
  clientIds: number[];
  clientTime: string;
  recordedAt: string;
  payloadHash: string;
  hash: string;
  /** The parsed body. After a redaction, the part that is left. */
  body: Json;
  bodyText: string | null;
  /** Null after a redaction, as the remaining body no longer matches the commitment. */
  salt: string | null;
  update: Uint8Array | null;
  /** The version of the event that redacted this one, if one did. */
  redactedBy?: number;
};

/**
 * Thrown when an answer of the database does not have the shape of the log. This is always a bug
 * and never caused by the user.
 */
export class MalformedRow extends Error {
  override name = "MalformedRow";
}

type Fields = Record<string, unknown>;

function fields(row: unknown): Fields {
  if (typeof row !== "object" || row === null) throw new MalformedRow("row is not an object");
  return Object.fromEntries(Object.entries(row));
}

function text(row: Fields, name: string): string {
  const value = row[name];
  if (typeof value !== "string") throw new MalformedRow(`${name} is not a string`);
  return value;
}

function count(row: Fields, name: string): number {
  const value = row[name];
  if (typeof value !== "number" || !Number.isSafeInteger(value))
    throw new MalformedRow(`${name} is not an integer`);
  return value;
}

const orNull = <T>(row: Fields, name: string, read: (row: Fields, name: string) => T): T | null =>
  row[name] === null || row[name] === undefined ? null : read(row, name);

function streamKind(row: Fields): StreamKind {
  const value = row.stream_kind;
  if (value === "account" || value === "workspace" || value === "document") return value;
  throw new MalformedRow("unknown stream_kind");
}

function integers(row: Fields, name: string): number[] {
  const value = row[name];
  if (!Array.isArray(value) || !value.every((item) => Number.isSafeInteger(item)))
    throw new MalformedRow(`${name} is not an array of integers`);
  return value;
}

/** Parses JSON text. Throws SyntaxError if the text is invalid. */
export function parsedJson(text: string): Json {
  // JSON.parse is the parse boundary: it returns Json by definition.
  return JSON.parse(text) as Json;
}

/** Parses one element of `read_events` or `read_feed`. Throws MalformedRow on any other shape. */
export function parseRow(row: unknown): Ruled {
  const from = fields(row);
  const bodyText = orNull(from, "body", text);
  const update = orNull(from, "update", text);
  const redactedBy = orNull(from, "redacted_by", count);
  const body = bodyText === null ? null : parsedJson(bodyText);
  return {
    id: text(from, "id"),
    streamId: text(from, "stream_id"),
    streamKind: streamKind(from),
    workspaceId: orNull(from, "workspace_id", text),
    version: count(from, "version"),
    position: orNull(from, "position", count),
    type: text(from, "type"),
    subject: { kind: text(from, "subject_kind"), id: text(from, "subject_id") },
    fromPhase: text(from, "from_phase"),
    toPhase: text(from, "to_phase"),
    schema: count(from, "schema"),
    actorId: text(from, "actor_id"),
    clientIds: orNull(from, "client_ids", integers) ?? [],
    clientTime: text(from, "client_time"),
    recordedAt: text(from, "recorded_at"),
    payloadHash: text(from, "payload_hash"),
    hash: text(from, "hash"),
    body,
    bodyText,
    salt: orNull(from, "salt", text),
    update: update === null ? null : fromBase64(update),
    ...(redactedBy !== null && { redactedBy }),
  };
}

/** Parses one element of the answer of `append_events`. */
export function parseRuling(row: unknown): Ruling {
  const from = fields(row);
  return {
    id: text(from, "id"),
    version: count(from, "version"),
    hash: text(from, "hash"),
    recordedAt: text(from, "recordedAt"),
    toPhase: text(from, "toPhase"),
  };
}

/** Returns a body's fields, or an empty object if the body is not an object. */
export function bodyFields(body: Json | undefined): { readonly [key: string]: Json } {
  return isFields(body) ? body : {};
}

/** Whether a value is an object, as every body in the database is. */
export function isFields(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Converts a proposal to the format of `append_events`: body as JSON text, update as base64. */
export function toWire(proposal: RawProposal): { [key: string]: Json } {
  const { id, type, body, subject, update, clientIds, schema, clientTime, replaces } = proposal;
  return {
    id,
    type,
    body: bodyText(body),
    ...(subject && { subject: { kind: subject.kind, id: subject.id } }),
    ...(update && { update: toBase64(update) }),
    ...(clientIds && { clientIds }),
    ...(schema !== undefined && { schema }),
    ...(clientTime !== undefined && { clientTime }),
    ...(replaces !== undefined && { replaces: storableText(replaces) }),
  };
}

/**
 * Returns a body as JSON that PostgreSQL accepts. PostgreSQL refuses a whole event that contains
 * NUL or a lone surrogate, such as half of an emoji.
 */
function bodyText(body: RawProposal["body"]): string {
  const text = JSON.stringify(body);
  return /\\u(?:0000|d[89a-f])/.test(text) ? JSON.stringify(storableJson(body)) : text;
}
