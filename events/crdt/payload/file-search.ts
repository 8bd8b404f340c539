import { appendAll } from "@/events/core/append-all";
import { isDocumentId } from "@/events/content/document-address";
import type { Ruled } from "@/events/core/envelope";
import { bodyOf } from "@/events/core/recorded-body";
import { attributeTexts } from "@/events/crdt/updates/attribute-texts";
import { Places } from "@/events/crdt/updates/places";
import type { Range, UpdateParts } from "@/events/crdt/updates/yjs-update";
import { editsOf } from "./row-edits";

type Row = Pick<
  Ruled,
  "version" | "type" | "subject" | "actorId" | "body" | "update" | "clientTime" | "redactedBy"
>;

/** The event that recorded a file's bytes. `shown`: the text also names the file elsewhere. */
type Brought = { row: Pick<Row, "version" | "type" | "actorId">; name: string; shown: boolean };
type Naming = { file: string; place: Range };

/** Whether an event puts an image or a file into the text. */
export function bringsFile(row: Pick<Row, "update" | "clientTime">): boolean {
  return namingsIn(editsOf(row)).length > 0;
}

/**
 * Searches events, in order, for the ones that recorded the bytes of the files that one event put
 * into the text. Also finds other places in the text that name the same files.
 */
export class FileSearch {
  private readonly version: number;
  private readonly files: ReadonlySet<string>;
  private readonly namings: Naming[] = [];
  private readonly gone = new Places();
  private readonly brought: Row[] = [];

  constructor(own: Pick<Row, "version" | "update" | "clientTime">) {
    this.version = own.version;
    this.files = new Set(namingsIn(editsOf(own)).map(({ file }) => file));
  }

  /** Reads the next event. Returns whether the event recorded one of the searched files. */
  take(row: Row): boolean {
    if (this.files.size === 0) return false;
    if (row.type === "file.attached" && this.files.has(row.subject.id)) {
      if (row.redactedBy === undefined) this.brought.push(row);
      return true;
    }
    const edits = editsOf(row);
    for (const { client, ranges } of edits.flatMap(({ deletes }) => deletes))
      this.gone.add(ranges.map((range) => ({ client, ...range })));
    if (row.version !== this.version)
      appendAll(
        this.namings,
        namingsIn(edits).filter(({ file }) => this.files.has(file)),
      );
    return false;
  }

  results(): Brought[] {
    const living = this.namings.filter(({ place }) => !this.gone.meet([place]));
    const shown = new Set(living.map(({ file }) => file));
    return this.brought.map((row) => ({
      row,
      name: bodyOf(row, "file.attached")?.name ?? "",
      shown: shown.has(row.subject.id),
    }));
  }
}

function namingsIn(edits: readonly UpdateParts[]): Naming[] {
  return attributeTexts(edits)
    .filter(({ key, text }) => (key === null || key === "file") && isDocumentId(text))
    .map(({ client, clock, text }) => ({ file: text, place: { client, clock, length: 1 } }));
}
