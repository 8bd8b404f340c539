import * as Y from "yjs";
import { decodeEdits, encodeEdits } from "@/events/crdt/payload/payload";
import { never } from "@/events/crdt/updates/lifespans";
import { oneUpdate } from "@/events/crdt/updates/rich-edits.fixture";
import type { Gesture } from "@/events/crdt/updates/rich-edits.fixture";
import { inspectUpdate } from "@/events/crdt/updates/update-inspection";
import { pageAt } from "@/events/history/timeline/document-text";
import { row, stream } from "@/events/history/timeline/rows.fixture";
import { scriptOf } from "@/events/history/timeline/script";
import type { Timeline, TimelineRow } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { passagesAt } from "@/events/analysis/attribution";
import { attributeThrough, sourcesOf } from "@/events/analysis/ancestry/ancestry";
import type { ReadLog } from "@/events/analysis/ancestry/ancestry";
import { ContentOrigin, contentOriginOf } from "@/events/analysis/lineage/copy-in";
import { readCopyIn } from "@/events/crdt/payload/copy-in-payload";
import { forkOf } from "./fork";
import { mergingOf } from "./merge";
import type { Acting, RestoreRequest } from "./restore";
import { previewOf } from "./restore-preview";

export const writers = ["Ana", "Ben", "Carol"] as const;
type WriterName = (typeof writers)[number];

const start = Date.UTC(2026, 10, 14, 15, 42);
const firstLetter = 0xac00;
const clientIds = [3_141_592_653, 7, 2 ** 40 + 1];
/** The first client id of writers in a fork. */
const forkClients = 10_000;

const isTyped = (letter: string) => letter.charCodeAt(0) >= firstLetter;

/** State that the documents of one family share: each letter's typist, and unique values. */
class Family {
  /** The person who typed each letter. */
  readonly typist = new Map<string, WriterName>();
  /** The letters that are typed after each pair of letters. */
  gap = " ";
  readonly documents: RestoredHistory[] = [];
  next = firstLetter;
  fresh = 100;
  time = start;
}

/**
 * A document that three writers edit and restore, each in a separate Yjs document. Every keystroke
 * is a distinct letter, so each letter of the text identifies its typist.
 */
export class RestoredHistory {
  readonly rows: TimelineRow[];
  readonly family: Family;
  /** The document from which this one was forked. */
  readonly parent: RestoredHistory | null;
  /** The versions of this document's restores and undos. */
  readonly restores: number[] = [];
  readonly id: string;
  /** The letters that were typed in this document. */
  readonly typedHere = new Set<string>();
  private readonly docs: { doc: Y.Doc; seen: number }[];
  private opened: { at: number; timeline: Timeline } | null = null;

  constructor(parent: RestoredHistory | null = null) {
    this.rows = stream("Minutes", []);
    this.parent = parent;
    this.family = parent?.family ?? new Family();
    const { documents } = this.family;
    this.id = idOf(documents.length + 1);
    this.docs = clientIds.map((clientId, index) => {
      const doc = new Y.Doc({ gc: false });
      doc.clientID = parent ? forkClients * documents.length + index : clientId;
      return { doc, seen: 0 };
    });
    documents.push(this);
  }

  get typist(): ReadonlyMap<string, WriterName> {
    return this.family.typist;
  }

  get timeline(): Timeline {
    if (this.opened?.at !== this.rows.length)
      this.opened = { at: this.rows.length, timeline: openTimeline(this.rows) };
    return this.opened.timeline;
  }

  /** Returns the standing letters. */
  get text(): string {
    const { timeline } = this;
    return pageAt(timeline, timeline.length - 1).text;
  }

  /** Forks the current document as a writer. */
  fork(index: number): RestoredHistory {
    const fork = new RestoredHistory(this);
    const body = { document: this.id, version: this.rows.length };
    for (const piece of forkOf(this.rows, this.id))
      fork.append({ ...piece, actorId: this.person(index).name, type: "document.forked", body });
    return fork;
  }

  /** Merges another document of the family into this one as a writer. */
  merge(index: number, from: RestoredHistory): void {
    const { name } = this.person(index);
    const merging = mergingOf(from, this.rows, this.acting(name));
    if (!merging) return;
    const { requests, body, again } = merging;
    for (const piece of requests.flat())
      this.append({ ...piece, actorId: name, type: "document.merged", body });
    for (const { version, actorId } of again)
      this.restore(index, { kind: "events", from: version, to: version, actorId });
  }

  /**
   * Returns the standing letters with their authors, as a page shows them that reads the logs of
   * all documents.
   */
  async authorship(): Promise<[string, string | null][]> {
    const { timeline } = this;
    const read: ReadLog = (stream, upTo) =>
      Promise.resolve(
        this.family.documents.find(({ id }) => id === stream)?.rows.slice(0, upTo) ?? null,
      );
    const told = await Promise.all(
      sourcesOf(timeline).map((source) =>
        attributeThrough(
          source.versions.flatMap((version) => this.rows[version - 1]?.update ?? []),
          source,
          read,
        ),
      ),
    );
    const origin = new ContentOrigin(timeline, told.flat());
    return passagesAt(timeline, timeline.length - 1, origin).flatMap(
      ({ text, author, imported }) => {
        const who = imported
          ? (imported.writer?.userId ?? null)
          : (timeline.authors[author] ?? null);
        return typedLetters(text).map((letter): [string, string | null] => [letter, who]);
      },
    );
  }

  private person(index: number): { name: WriterName; doc: Y.Doc } {
    const [name, own] = [writers[index % 3], this.docs[index % 3]];
    if (!name || !own) throw new Error("There are three writers.");
    return { name, doc: own.doc };
  }

  /** Updates a writer's document to the log's state. */
  sync(index: number): void {
    const own = this.docs[index % 3];
    if (!own) return;
    for (const { update, clientTime } of this.rows.slice(own.seen)) {
      const payload = update && (readCopyIn(update)?.payload ?? update);
      for (const edit of payload ? decodeEdits(payload, Date.parse(clientTime)) : [])
        Y.applyUpdate(own.doc, edit.update, "peer");
    }
    own.seen = this.rows.length;
  }

  /** Types or deletes as a writer. Every written letter is new. */
  act(gesture: Omit<Gesture, "word">, after = 160): void {
    const { family } = this;
    const { name, doc } = this.person(gesture.writer);
    const word = `${String.fromCharCode(family.next, family.next + 1)}${family.gap}`;
    const before = lettersOf(doc);
    const update = oneUpdate(doc, [{ ...gesture, word }]);
    for (const letter of lettersOf(doc))
      if (!before.has(letter) && !family.typist.has(letter)) {
        family.typist.set(letter, name);
        this.typedHere.add(letter);
      }
    family.next += 2;
    const clientIds = new Set(inspectUpdate(update).structs.map(({ client }) => client));
    const time = (family.time += after);
    this.append({
      actorId: name,
      update: encodeEdits([{ update, time }]),
      clientIds: [...clientIds],
    });
  }

  /** Restores as a writer. Returns the event's version, or null if nothing would change. */
  restore(index: number, restoreRequest: RestoreRequest, after = 160): number | null {
    const { name } = this.person(index);
    const preview = previewOf(restoreRequest, this.rows, this.acting(name, after));
    if (!preview) return null;
    const { type, body, update, clientIds } = preview;
    const version = this.append({ actorId: name, type, body, update, clientIds });
    this.restores.push(version);
    return version;
  }

  /** Reverts one event, as the toast's “Undo” does. */
  undo(index: number, version: number): number | null {
    const actorId = this.rows[version - 1]?.actorId ?? "";
    return this.restore(index, { kind: "events", from: version, to: version, actorId });
  }

  private acting(userId: string, after = 160): Acting {
    const clientId = (this.family.fresh += 1);
    return { userId, clientId, time: (this.family.time += after), eventId: idOf(clientId) };
  }

  private append(fields: Partial<TimelineRow> & Pick<TimelineRow, "actorId">): number {
    const version = this.rows.length + 1;
    this.rows.push(row({ ...fields, version }, this.family.time));
    return version;
  }
}

function idOf(index: number): string {
  return `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
}

function lettersOf(doc: Y.Doc): Set<string> {
  const found = new Set<string>();
  const read = (node: Y.XmlFragment | Y.XmlElement | Y.XmlText | Y.XmlHook): void => {
    if (node instanceof Y.XmlText)
      for (const { insert } of node.toDelta() as { insert: unknown }[])
        for (const letter of typeof insert === "string" ? insert : "")
          if (isTyped(letter)) found.add(letter);
    if (node instanceof Y.XmlFragment) for (const child of node.toArray()) read(child);
  };
  read(doc.getXmlFragment("default"));
  return found;
}

/** Returns the typed letters of a text. Each letter occurs once. */
export function typedLetters(text: string): string[] {
  return [...text].filter(isTyped);
}

/** Whether an event ever copied a letter here from another document. */
export function wasCarried(timeline: Timeline, letter: string): boolean {
  const origin = contentOriginOf(timeline);
  return scriptOf(timeline).textblocks.some(({ text, born }) =>
    [...text].some(
      (each, offset) => each === letter && origin.copyInAt(born[offset] ?? 0) !== null,
    ),
  );
}

/** Returns who removed a letter, by a key or by restoring, whether or not it came back. */
export function takenOutBy(timeline: Timeline, letter: string): Set<string> {
  const found = new Set<string>();
  for (const { text, died } of scriptOf(timeline).textblocks)
    for (let at = text.indexOf(letter); at >= 0; at = text.indexOf(letter, at + 1)) {
      const revision = died[at] ?? never;
      if (revision !== never) found.add(timeline.revision(revision).actorId);
    }
  return found;
}
