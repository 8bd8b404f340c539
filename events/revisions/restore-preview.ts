import { updateYFragment } from "@tiptap/y-tiptap";
import { schemaVersion } from "@/events/content/schema";
import * as Y from "yjs";
import { writeUpdate } from "@/events/crdt/updates/yjs-update";
import type { UpdateParts } from "@/events/crdt/updates/yjs-update";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { RecordedDocument } from "@/events/history/recorded-document";
import { documentAt } from "@/events/history/timeline/document-text";
import type { Timeline, TimelineRow } from "@/events/history/timeline/timeline";
import type { Recording } from "@/events/history/timeline/recording";
import { TimelineBuilder, timelineOf } from "@/events/history/timeline/timeline-builder";
import { fitted } from "./fitted-text";
import { anchorsOf, eventOf, keepingOf } from "./restore";
import type { Acting, RestorePreview, RestoreRequest } from "./restore";
import { selectiveRevert } from "./selective-revert";

/** A document's log, folded once for previews of restores. Later rows are added incrementally. */
export class PreviewBuilder {
  private readonly builder: TimelineBuilder;
  /** The base of all previews, built for the first preview and updated with later rows. */
  private base: { recording: Recording; doc: Y.Doc } | null = null;

  /** Continues the given builder. */
  constructor(builder = new TimelineBuilder()) {
    this.builder = builder;
  }

  /**
   * Adds the log's next rows. Returns false if this needs the whole log and the builder has not
   * seen its beginning.
   */
  take(rows: readonly TimelineRow[]): boolean {
    return rows.every((row) => this.add(row));
  }

  private add(row: TimelineRow): boolean {
    if (!this.base) return this.builder.add(row);
    const { recording, doc } = this.base;
    const edits: UpdateParts[] = [];
    const writer = { event: () => undefined, edit: (parts: UpdateParts) => void edits.push(parts) };
    if (!this.builder.add(row, writer)) return false;
    // The recording broke and was rebuilt.
    if (this.builder.finish() !== recording) this.base = null;
    else for (const parts of edits) Y.applyUpdate(doc, writeUpdate(parts));
    return true;
  }

  /** Returns a copy of the current document that may be changed. */
  private copy(): RecordedDocument {
    const recording = this.builder.finish();
    this.base ??= { recording, doc: new RecordedDocument(recording).doc };
    return new RecordedDocument(recording, Y.encodeStateAsUpdate(this.base.doc));
  }

  /** The number of revisions so far. */
  get revisionCount(): number {
    return this.builder.finish().revisions.length;
  }

  /** Returns the current history. */
  timeline(): Timeline {
    return timelineOf(this.builder.finish().finish());
  }

  /**
   * Prepares a restore: the event that makes it, valid for this version's editor, and the resulting
   * history. Returns null if the restore would change nothing.
   */
  preview(
    restoreRequest: RestoreRequest,
    { userId, clientId, time, eventId }: Acting,
  ): RestorePreview | null {
    const { revisionCount } = this;
    const { rows } = this.builder;
    const recording = this.builder.finish();
    const marks = recording.markedEvents();
    const { version } = recording.revisions;
    const record = this.copy();
    const keeping = keepingOf(restoreRequest, record, () => this.timeline());
    const made = selectiveRevert(record, { clientId, ...keeping, anchors: anchorsOf(marks) });
    const [first] = marks;
    if (!made || !first) return null;
    const stamp = new Date(time).toISOString();
    const event = eventOf(restoreRequest, { rows, marks });
    const then = (updates: Uint8Array[]) => {
      const update = encodeEdits(updates.map((each) => ({ update: each, time })));
      const row = {
        ...event,
        id: eventId,
        version: version + 1,
        schema: schemaVersion,
        subject: first.subject,
        toPhase: first.toPhase,
        actorId: userId,
        clientIds: [clientId],
        clientTime: stamp,
        recordedAt: stamp,
        update,
      };
      return { update, timeline: timelineOf(this.builder.ahead(row).finish()) };
    };
    const plain = then([made]);
    const sound = fitted(documentAt(plain.timeline.blocks, plain.timeline.length - 1));
    const mended =
      sound &&
      record.write(
        clientId,
        () =>
          void updateYFragment(record.doc, record.fragment, sound, {
            mapping: new Map(),
            isOMark: new Map(),
          }),
      );
    record.doc.destroy();
    const { update, timeline } = mended ? then([made, mended]) : plain;
    return {
      ...event,
      base: version,
      update,
      clientIds: [clientId],
      timeline,
      now: revisionCount - 1,
    };
  }
}

/** Prepares a restore from the rows of a whole document. */
export function previewOf(
  restoreRequest: RestoreRequest,
  rows: readonly TimelineRow[],
  acting: Acting,
): RestorePreview | null {
  const previewBuilder = new PreviewBuilder();
  previewBuilder.take(rows);
  return previewBuilder.preview(restoreRequest, acting);
}
