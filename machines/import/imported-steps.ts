import { copyInPayload } from "@/events/crdt/payload/copy-in-payload";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { redactableKeys } from "@/events/core/body-shapes";
import { type Accepted, contentOf } from "@/events/crdt/validation/validation";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { isFields, type Json, type Proposal, type Ruled } from "@/events/core/envelope";
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

/** Somebody whose doings are in a history, by the hand that its timeline knows them by. */
export type ImportedAuthor = { key: string; name: string; clients: number[] };

/** How many events of a new document come before the first step; what a body says of versions moves on by so many. */
export const stepsAfter = 2;

const mostSteps = 50_000;
const mostUpdateBytes = 512 * 1024;
const mostBodyBytes = 64_000;
const mostKept = 4_000;
const mostAuthors = 500;
const mostClients = 5_000;
const nothing = Uint8Array.of(0, 0);
/** Where a schema asks for an account, and somebody known by name alone stands. */
const someAccount = "00000000-0000-4000-8000-000000000000";

type Fields = { [key: string]: Json };
const schemas = new Map(aggregates.flatMap((aggregate) => Object.entries(aggregate.schemas)));
/** Without what no log takes as text. */
const plain = (name: string) => name.replace(/[\p{Cc}\p{Cs}]/gu, "");
const bytesIn = (text: string) => new TextEncoder().encode(text).length;

/** Everybody who acts in a bundle, in the order of their first event: by the names in it, its own imports included. */
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

/** Whether a body is one that the log would have recorded: whoever made the bundle may have written anything. */
function isSound({ type, salt }: Ruled, body: Fields): boolean {
  const schema = schemas.get(type);
  if (!schema) return false;
  // A redacted word is empty where the schema asks for one.
  const spoken = Object.fromEntries(
    redactableKeys.flatMap((key) => (salt === null && body[key] === "" ? [[key, "–"]] : [])),
  );
  const { author } = body;
  const named =
    typeof author === "string" && isImportedAuthorKey(author) ? { author: someAccount } : {};
  return schema.safeParse({ ...body, ...spoken, ...named }).success;
}

/** A body as it is true of the new document, where versions, events and people have other numbers and names. */
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

/** The two texts in which a step keeps a body: what a redaction leaves of it, and the words. */
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

/** What a row brought that readers took in, to the byte where they took all of it at the times it names. */
function payloadOf(row: Ruled, { edits, anomalies }: Accepted): Uint8Array {
  const { payload } = contentOf(row);
  const recorded = Date.parse(row.recordedAt);
  if (!payload || edits.length === 0) return encodeEdits([{ update: nothing, time: 0 }]);
  if (anomalies.length === 0 && edits.every(({ time }) => time <= recorded)) return payload;
  return encodeEdits(edits.map(({ update, time }) => ({ update, time: Math.min(time, recorded) })));
}

type Input = { checked: CheckedBundle; authors: readonly ImportedAuthor[]; newId: () => string };

/**
 * The events that tell a bundle's history step by step, one for each of its rows and in their
 * order; null where there are more, or larger ones, than are taken in one by one.
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
      // What no log would have recorded is a revision of its author, and about nothing.
      subject: isDocument || !sound ? null : { kind: mapped.subject.kind, id: mapped.subject.id },
      phase: mapped.toPhase,
      author: places.get(mapped.actorId) ?? others,
      kept,
      text,
    } satisfies Json;
    // Words that do not fit in an event stay in the file.
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
