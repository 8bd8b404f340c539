import { copyInPayload } from "@/events/crdt/payload/copy-in-payload";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { redactableKeys } from "@/events/core/body-shapes";
import { contentOf } from "@/events/crdt/validation/validation";
import type { Accepted } from "@/events/crdt/validation/validation";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { isFields } from "@/events/core/envelope";
import type { Json, Proposal, Ruled } from "@/events/core/envelope";
import {
  importedAuthorKey,
  isImportedAuthorKey,
  mapImported,
} from "@/events/history/timeline/imported-history";
import { firstCodePoints } from "@/events/core/text/code-points";
import { aggregates } from "@/machines/catalog";
import { schemaVersion } from "@/events/content/schema";
import type { CheckedBundle } from "@/events/proof/bundle-check";
import { importedNames } from "./imported-names";

/** An author in a history. `key` is the one that the history's timeline uses. */
export type ImportedAuthor = { key: string; name: string; clients: number[] };

/** Number of events before the first step in the new document, which shifts versions in bodies. */
export const stepsAfter = 2;

const mostSteps = 50_000;
const mostUpdateBytes = 512 * 1024;
const mostBodyBytes = 64_000;
const mostKept = 4_000;
const mostAuthors = 500;
const mostClients = 5_000;
const nothing = Uint8Array.of(0, 0);
/** Replaces an account id in a schema check if only the author's name is known. */
const someAccount = "00000000-0000-4000-8000-000000000000";

type Fields = { [key: string]: Json };
const schemas = new Map(aggregates.flatMap((aggregate) => Object.entries(aggregate.schemas)));
/** Removes characters that the log does not accept as text. */
const plain = (name: string) => name.replace(/[\p{Cc}\p{Cs}]/gu, "");
const bytesIn = (text: string) => new TextEncoder().encode(text).length;

/**
 * Returns all authors in a bundle, including those of its own imports, in the order of their first
 * event.
 */
export function authorsOf({ bundle: { rows, people }, timeline }: CheckedBundle): ImportedAuthor[] {
  const names = new Map(people.map(({ id, name }) => [id, name]));
  for (const [index, name] of importedNames(timeline.marks).entries())
    names.set(importedAuthorKey(index), name);
  const authors = new Map<string, ImportedAuthor>();
  const owned = new Set<number>();
  for (const row of rows) {
    const key = mapImported(row).actorId;
    const author = authors.get(key) ?? {
      key,
      name: firstCodePoints(plain(names.get(key) ?? "Somebody"), 80),
      clients: [],
    };
    authors.set(key, author);
    for (const client of row.clientIds) {
      if (owned.has(client) || author.clients.length >= mostClients) continue;
      owned.add(client);
      author.clients.push(client);
    }
  }
  const all = [...authors.values()];
  return all.length <= mostAuthors
    ? all
    : [...all.slice(0, mostAuthors - 1), { key: "", name: "Others", clients: [] }];
}

/** Whether the log could have recorded this body. A bundle may contain any body. */
function isSound({ type, salt }: Ruled, body: Fields): boolean {
  const schema = schemas.get(type);
  if (!schema) return false;
  // A redacted text is empty, but the schema requires a character.
  const spoken = Object.fromEntries(
    redactableKeys.flatMap((key) => (salt === null && body[key] === "" ? [[key, "–"]] : [])),
  );
  const { author } = body;
  const named =
    typeof author === "string" && isImportedAuthorKey(author) ? { author: someAccount } : {};
  return schema.safeParse({ ...body, ...spoken, ...named }).success;
}

/**
 * Adapts a body to the new document, where versions, events and people have other numbers and ids.
 */
function moved(
  type: string,
  body: Fields,
  {
    authorKeyOf,
    eventOf,
  }: { authorKeyOf: (id: string) => string; eventOf: (id: string) => string },
): Fields {
  const on = (key: string): Fields =>
    typeof body[key] === "number" ? { [key]: body[key] + stepsAfter } : {};
  if (type === "version.named") return { ...body, ...on("at") };
  if (type === "document.reverted") return { ...body, ...on("toVersion") };
  if (type === "document.redacted") return { ...body, event: eventOf(String(body.event)) };
  if (type === "document.reworked")
    return {
      ...body,
      ...on("from"),
      ...on("to"),
      ...(typeof body.author === "string" && { author: authorKeyOf(body.author) }),
    };
  return body;
}

/** Splits a step's body into `kept`, which survives a redaction, and `text` with the words. */
function textsOf(body: Fields): { kept: string; text: string } {
  const isWord = ([key]: [string, Json]) => redactableKeys.includes(key);
  const emptied = Object.entries(body).map(([key, value]) => [
    key,
    !isWord([key, value]) || value === null ? value : Array.isArray(value) ? [] : "",
  ]);
  const words = Object.entries(body).filter(isWord);
  const kept = JSON.stringify(Object.fromEntries(emptied));
  const text = words.length === 0 ? "" : JSON.stringify(Object.fromEntries(words));
  return { kept: kept.length > mostKept ? "{}" : kept, text };
}

/**
 * Returns the accepted part of a row's payload. The payload is returned byte for byte if every edit
 * was accepted at its own time.
 */
function payloadOf(row: Ruled, { edits, anomalies }: Accepted): Uint8Array {
  const { payload } = contentOf(row);
  const recorded = Date.parse(row.recordedAt);
  if (!payload || edits.length === 0) return encodeEdits([{ update: nothing, time: 0 }]);
  if (anomalies.length === 0 && edits.every(({ time }) => time <= recorded)) return payload;
  return encodeEdits(edits.map(({ update, time }) => ({ update, time: Math.min(time, recorded) })));
}

type Input = { checked: CheckedBundle; authors: readonly ImportedAuthor[]; newId: () => string };

/**
 * Returns the events that import a bundle's history step by step, one per row, in order. Returns
 * null if the bundle has too many rows, or rows that are too large.
 */
export function importedSteps({ checked: { bundle }, authors, newId }: Input): Proposal[] | null {
  const { rows, manifest } = bundle;
  if (rows.length > mostSteps) return null;
  const fold = new ConfirmedDocument(null);
  const places = new Map(authors.map(({ key }, index) => [key, index]));
  const others = authors.length - 1;
  const newIds = new Map<string, string>();
  const known = {
    authorKeyOf: (id: string) => (places.has(id) ? importedAuthorKey(places.get(id) ?? 0) : id),
    eventOf: (id: string) => newIds.get(id) ?? id,
  };
  const steps: Proposal[] = [];
  for (const row of rows) {
    const mapped = mapImported(row);
    const id = newId();
    newIds.set(row.id, id);
    const update = copyInPayload({
      source: manifest.document.id,
      payload: payloadOf(row, fold.accept(row)),
    });
    if (update.length > mostUpdateBytes) return null;
    const fields = isFields(mapped.body) ? mapped.body : null;
    const sound = fields !== null && isSound(mapped, fields);
    const { kept, text } = sound
      ? textsOf(moved(mapped.type, fields, known))
      : { kept: "{}", text: "" };
    const isDocument = mapped.subject.kind === row.streamKind && mapped.subject.id === row.streamId;
    const body = {
      version: row.version,
      type: mapped.type,
      // A row that no log would have recorded becomes a revision of its author without a subject.
      subject: isDocument || !sound ? null : { kind: mapped.subject.kind, id: mapped.subject.id },
      phase: mapped.toPhase,
      author: places.get(mapped.actorId) ?? others,
      kept,
      text,
    } satisfies Json;
    // Words that exceed an event's limit remain in the file only.
    const fits = bytesIn(JSON.stringify(body)) <= mostBodyBytes;
    const schema = row.update ? Math.max(1, Math.min(row.schema, schemaVersion)) : schemaVersion;
    steps.push({
      id,
      type: "document.step_imported",
      body: fits ? body : { ...body, text: "" },
      update,
      clientIds: row.clientIds,
      schema,
      clientTime: row.clientTime,
    });
  }
  return steps;
}
