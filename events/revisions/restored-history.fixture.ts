import * as Y from "yjs";
import { decodeEdits, encodeEdits } from "@/events/crdt/payload/payload";
import { never } from "@/events/crdt/updates/lifespans";
import { type Gesture, oneUpdate } from "@/events/crdt/updates/rich-edits.fixture";
import { inspectUpdate } from "@/events/crdt/updates/update-inspection";
import { pageAt } from "@/events/history/timeline/document-text";
import { row, stream } from "@/events/history/timeline/rows.fixture";
import { scriptOf } from "@/events/history/timeline/script";
import { type Timeline, type TimelineRow } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { type RestoreRequest } from "./restore";
import { previewOf } from "./restore-preview";

export const writers = ["Ana", "Ben", "Carol"] as const;
type WriterName = (typeof writers)[number];

const start = Date.UTC(2026, 10, 14, 15, 42);
const firstLetter = 0xac00;
const clientIds = [3_141_592_653, 7, 2 ** 40 + 1];

const isTyped = (letter: string) => letter.charCodeAt(0) >= firstLetter;

/**
 * A document that three writers change on Yjs documents of their own, and restore. Every key they
 * type is a letter of its own, so that each letter of the text says who typed it.
 */
export class RestoredHistory {
  readonly rows: TimelineRow[];
  /** Who typed each letter. */
  readonly typist = new Map<string, WriterName>();
  /** Who deleted letters by keys, in order. */
  readonly deleted = new Map<string, WriterName[]>();
  private readonly docs = clientIds.map((clientID) => {
    const doc = new Y.Doc({ gc: false });
    doc.clientID = clientID;
    return { doc, seen: 0 };
  });
  private next = firstLetter;
  private fresh = 100;
  private time = start;
  private opened: { at: number; timeline: Timeline } | null = null;

  constructor() {
    this.rows = stream("Minutes", []);
  }

  get timeline(): Timeline {
    if (this.opened?.at !== this.rows.length)
      this.opened = { at: this.rows.length, timeline: openTimeline(this.rows) };
    return this.opened.timeline;
  }

  /** The letters that stand. */
  get text(): string {
    const { timeline } = this;
    return pageAt(timeline, timeline.length - 1).text;
  }

  private person(index: number): { name: WriterName; doc: Y.Doc } {
    const [name, own] = [writers[index % 3], this.docs[index % 3]];
    if (!name || !own) throw new Error("There are three writers.");
    return { name, doc: own.doc };
  }

  /** Shows a writer what has been recorded. */
  sync(index: number): void {
    const own = this.docs[index % 3];
    if (!own) return;
    for (const { update, clientTime } of this.rows.slice(own.seen))
      for (const edit of update ? decodeEdits(update, Date.parse(clientTime)) : [])
        Y.applyUpdate(own.doc, edit.update, "peer");
    own.seen = this.rows.length;
  }

  /** A writer types or deletes; what a gesture writes is letters that nobody has typed before. */
  act(gesture: Omit<Gesture, "word">, after = 160): void {
    const { name, doc } = this.person(gesture.writer);
    const word = `${String.fromCharCode(this.next, this.next + 1)} `;
    const before = lettersOf(doc);
    const update = oneUpdate(doc, [{ ...gesture, word }]);
    const now = lettersOf(doc);
    for (const letter of now)
      if (!before.has(letter) && !this.typist.has(letter)) this.typist.set(letter, name);
    for (const letter of before)
      if (!now.has(letter)) this.deleted.set(letter, [...(this.deleted.get(letter) ?? []), name]);
    this.next += 2;
    const clients = inspectUpdate(update).structs.map(({ client }) => client);
    this.append({ actorId: name, update: encodeEdits([{ update, time: (this.time += after) }]) }, [
      ...new Set(clients),
    ]);
  }

  /** A writer restores something; the version of that event, null where nothing would change. */
  restore(index: number, restoreRequest: RestoreRequest, after = 160): number | null {
    const { name } = this.person(index);
    const clientId = (this.fresh += 1);
    const preview = previewOf(restoreRequest, this.rows, {
      userId: name,
      clientId,
      time: (this.time += after),
      eventId: `00000000-0000-4000-8000-${String(clientId).padStart(12, "0")}`,
    });
    if (!preview) return null;
    const { type, body, update } = preview;
    return this.append({ actorId: name, type, body, update }, preview.clientIds);
  }

  /** What the toast's “Undo” does: takes one event back. */
  undo(index: number, version: number): number | null {
    const actorId = this.rows[version - 1]?.actorId ?? "";
    return this.restore(index, { kind: "events", from: version, to: version, actorId });
  }

  private append(
    fields: Partial<TimelineRow> & Pick<TimelineRow, "actorId">,
    ids: number[],
  ): number {
    const version = this.rows.length + 1;
    this.rows.push(row({ ...fields, version, clientIds: ids }, this.time));
    return version;
  }
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

/** The letters of a text that somebody typed, each of which is there once. */
export function typedLetters(text: string): string[] {
  return [...text].filter(isTyped);
}

/** Who took a letter out of the text, by a key or by restoring, whether or not it came back. */
export function takenOutBy(timeline: Timeline, letter: string): Set<string> {
  const found = new Set<string>();
  for (const { text, died } of scriptOf(timeline).textblocks)
    for (let at = text.indexOf(letter); at >= 0; at = text.indexOf(letter, at + 1)) {
      const revision = died[at] ?? never;
      if (revision !== never) found.add(timeline.revision(revision).actorId);
    }
  return found;
}
