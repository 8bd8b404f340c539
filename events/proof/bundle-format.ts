import * as z from "zod/mini";
import { toBase64 } from "@/events/core/bytes/base64";
import { parseRow } from "@/events/core/envelope";
import type { Json, Ruled } from "@/events/core/envelope";
import { writtenId } from "@/events/core/ids/written-id";

/** Thrown for a file that is not a valid bundle. The message is a sentence for its holder. */
export class BundleError extends Error {
  override name = "BundleError";
}

/** A bundle's files in order. Only the attachments of its text may follow them. */
export const bundlePaths = [
  "README.txt",
  "manifest.json",
  "events.ndjson",
  "people.json",
  "heads.json",
  "attachments.json",
  "text/document.md",
  "text/document.html",
  "text/document.json",
  "player.html",
] as const;
export type BundlePath = (typeof bundlePaths)[number];

/** An image or file of the text, named by the SHA-256 of its bytes. */
type AttachmentPath = `files/${string}`;
export type BundledPath = BundlePath | AttachmentPath;

/** Returns the path of an image's or file's bytes in a bundle. */
export const pathOfAttachment = (sha256: string): AttachmentPath => `files/${sha256}`;

/** Whether a path names an image or file of the text. */
export function isAttachmentPath(name: string): name is AttachmentPath {
  return /^files\/[0-9a-f]{64}$/.test(name);
}

/** A reader's limits. A megabyte is 2²⁰ bytes; `ratio` is the unpacked size by the packed size. */
export const bundleLimits = {
  packed: 512 * 2 ** 20,
  unpacked: 512 * 2 ** 20,
  ratio: 100,
  events: 1_000_000,
  update: 512 * 2 ** 10,
  body: 64 * 2 ** 10,
  people: 10_000,
  /** The most images and files of the text, each of at most the upload limit. */
  files: 10_000,
  /** The log's limit for an event that holds a copied state. */
  clientIds: 16_384,
};

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const count = z.int().check(z.minimum(0));
const version = z.int().check(z.minimum(1));
const time = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/));
const name = z.string().check(z.maxLength(200));

const rowSchema = z.strictObject({
  id: writtenId,
  stream_id: writtenId,
  stream_kind: z.literal("document"),
  workspace_id: writtenId,
  version,
  position: version,
  type: z.string().check(z.maxLength(100)),
  subject_kind: z.string().check(z.maxLength(100)),
  subject_id: writtenId,
  from_phase: z.string().check(z.maxLength(100)),
  to_phase: z.string().check(z.maxLength(100)),
  schema: count,
  actor_id: writtenId,
  client_ids: z.nullable(z.array(count).check(z.maxLength(bundleLimits.clientIds))),
  client_time: time,
  recorded_at: time,
  payload_hash: hash,
  hash,
  salt: z.nullable(z.string().check(z.regex(/^[0-9a-f]{32}$/))),
  body: z.nullable(z.string()),
  update: z.nullable(z.string()),
});

const person = z.strictObject({ id: writtenId, name, color: count });
const peopleSchema = z.array(person).check(z.maxLength(bundleLimits.people));
const headsSchema = z
  .array(z.strictObject({ version, hash, seen: z.string().check(z.maxLength(40)) }))
  .check(z.maxLength(10_000));
const attachmentsSchema = z
  .array(
    z.strictObject({
      sha256: hash,
      bytes: count,
      name: z.string().check(z.maxLength(255)),
      type: z.string().check(z.maxLength(200)),
    }),
  )
  .check(z.maxLength(bundleLimits.files));

const manifestSchema = z.strictObject({
  format: z.literal("palimpsest-bundle"),
  /** 2 if the bundle holds images and files of the text. */
  version: z.union([z.literal(1), z.literal(2)]),
  /** The rendering version of the bundle's Markdown and HTML. */
  rendering: count,
  document: z.strictObject({ id: writtenId, title: z.string().check(z.maxLength(300)) }),
  exported: z.strictObject({
    at: z.string().check(z.maxLength(40)),
    by: z.strictObject({ id: writtenId, name }),
  }),
  events: count.check(z.maximum(bundleLimits.events)),
  head: z.strictObject({ version, hash }),
  files: z
    .array(z.strictObject({ path: z.string().check(z.maxLength(100)), bytes: count, sha256: hash }))
    .check(z.maxLength(bundlePaths.length + bundleLimits.files)),
});

/** An author of a bundle's events, with their name when the bundle was made. */
export type BundlePerson = z.infer<typeof person>;
/** A head that the exporter's browser remembered, and the time when it saw the head. */
export type BundleHead = z.infer<typeof headsSchema>[number];
export type BundleAttachment = z.infer<typeof attachmentsSchema>[number];
export type Manifest = z.infer<typeof manifestSchema>;

/** Formats JSON as in a bundle's files: indented by two spaces, with one newline at the end. */
export function jsonText(value: Json): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/**
 * Parses a JSON file of a bundle. Only the canonical form is valid, so that all readers understand
 * the file alike.
 */
function parsed<T extends Json>(path: BundlePath, text: string, schema: z.ZodMiniType<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BundleError(`${path} is not JSON.`);
  }
  const read = schema.safeParse(value);
  if (!read.success)
    throw new BundleError(
      `${path} does not have the form of a bundle’s: ${read.error.issues[0]?.path.join(".") || "it"} is wrong.`,
    );
  if (jsonText(read.data) !== text)
    throw new BundleError(
      `${path} is not written as a bundle’s is: a key is repeated or out of order, or it has other spaces.`,
    );
  return read.data;
}

/** Parses `manifest.json`. */
export function parseManifest(text: string): Manifest {
  return parsed("manifest.json", text, manifestSchema);
}

/** Parses `people.json`. */
export function parsePeople(text: string): BundlePerson[] {
  return parsed("people.json", text, peopleSchema);
}

/** Parses `heads.json`. */
export function parseHeads(text: string): BundleHead[] {
  return parsed("heads.json", text, headsSchema);
}

/** Parses `attachments.json`. */
export function parseAttachments(text: string): BundleAttachment[] {
  return parsed("attachments.json", text, attachmentsSchema);
}

/** Formats a log row as its line in `events.ndjson`, without the newline. */
export function eventLine(row: Ruled): string {
  return JSON.stringify({
    id: row.id,
    stream_id: row.streamId,
    stream_kind: row.streamKind,
    workspace_id: row.workspaceId,
    version: row.version,
    position: row.position,
    type: row.type,
    subject_kind: row.subject.kind,
    subject_id: row.subject.id,
    from_phase: row.fromPhase,
    to_phase: row.toPhase,
    schema: row.schema,
    actor_id: row.actorId,
    client_ids: row.clientIds.length === 0 ? null : row.clientIds,
    client_time: row.clientTime,
    recorded_at: row.recordedAt,
    payload_hash: row.payloadHash,
    hash: row.hash,
    salt: row.salt,
    body: row.bodyText,
    update: row.update === null ? null : toBase64(row.update),
  });
}

/** Parses a line of `events.ndjson`. `number` counts from 1 and appears in the error's sentence. */
export function parseEventLine(line: string, number: number): Ruled {
  const refuse = (why: string) => new BundleError(`Line ${number} of events.ndjson ${why}.`);
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw refuse("is not JSON");
  }
  const read = rowSchema.safeParse(value);
  if (!read.success)
    throw refuse(`is not an event: ${read.error.issues[0]?.path.join(".") || "its form"} is wrong`);
  let row: Ruled;
  try {
    row = parseRow(read.data);
  } catch {
    throw refuse("has a body that is not JSON or an update that is not base64");
  }
  if (new TextEncoder().encode(row.bodyText ?? "").length > bundleLimits.body)
    throw refuse("has a larger body than an event can have");
  if ((row.update?.length ?? 0) > bundleLimits.update)
    throw refuse("has a larger update than an event can have");
  if (eventLine(row) !== line)
    throw refuse(
      "is not written as a bundle’s is: a key is repeated or out of order, or it has other spaces",
    );
  return row;
}
