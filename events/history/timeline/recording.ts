import { appendAll } from "@/events/core/append-all";
import { accept, noBindings } from "@/events/crdt/validation/validation";
import type {
  Accepted,
  ValidatedEdit,
  Bindings,
  Anomaly,
} from "@/events/crdt/validation/validation";
import { columnsOf } from "./columnar-history-builder";
import { mapImported } from "./imported-history";
import { RevisionColumnsBuilder } from "./revision-columns";
import { rhythmOf } from "./rhythm";
import { Sequence } from "@/events/history/sequence/sequence";
import { SequenceContainers } from "@/events/history/sequence/sequence-containers";
import { stateOf } from "@/events/history/sequence/sequence-state";
import { applyParts, KnottedUpdate } from "@/events/history/sequence/sequence-update";
import type { Mark, TimelineData, TimelineRow } from "./timeline";
import type { UpdateParts } from "@/events/crdt/updates/yjs-update";

/**
 * Thrown for an edit that passed every check and still cannot be applied. The recording then holds
 * half of the edit.
 */
export class BrokenRecording extends Error {
  override name = "BrokenRecording";
}

/**
 * A recorded event without its edits. `bound` are the Yjs client ids that it bound, with their
 * owners.
 */
export type RecordedEvent = {
  actorId: string;
  bound: [client: number, owner: string][];
  times: number[];
  edits: number[];
  mark: Omit<Mark, "revision" | "version" | "actorId"> | null;
};

/**
 * Receives the events that a recording adds: each event, then its edits, before they are in the
 * sequence.
 */
export type RecordingWriter = { event(event: RecordedEvent): void; edit(parts: UpdateParts): void };

/** Collects a stream's events into one sequence of all content ever written. */
export class Recording {
  readonly sequence: Sequence;
  readonly revisions: RevisionColumnsBuilder;
  private readonly bindings: Bindings;
  private readonly marks: Mark[] = [];
  private readonly anomalies: Anomaly[] = [];

  constructor(sequence = new Sequence(), revisions = new RevisionColumnsBuilder()) {
    this.sequence = sequence;
    this.revisions = revisions;
    this.bindings = noBindings(new SequenceContainers(sequence));
  }

  /** Returns an independent copy of the recording. */
  copy(): Recording {
    const made = new Recording(this.sequence.copy(), this.revisions.copy());
    for (const [client, owner] of this.bindings.owners) made.bindings.owners.set(client, owner);
    for (const [client, clock] of this.bindings.reached) made.bindings.reached.set(client, clock);
    for (const mark of this.marks) made.marks.push(mark);
    for (const anomaly of this.anomalies) made.anomalies.push(anomaly);
    return made;
  }

  /** Adds the next event, or only its `known` valid part, and passes it to `writer` as well. */
  add(recorded: TimelineRow, known: Accepted | null, writer?: RecordingWriter): Anomaly[] {
    if (recorded.version !== this.revisions.version + 1)
      throw new Error(`Version ${recorded.version} does not follow ${this.revisions.version}`);
    const accepted = known ?? accept(recorded, this.bindings);
    return this.take(mapImported(recorded), accepted, writer);
  }

  private take(
    row: TimelineRow,
    { edits, anomalies: rejected }: Accepted,
    writer: RecordingWriter | undefined,
  ): Anomaly[] {
    const anomalies = rejected.map((anomaly) => ({ ...anomaly, actorId: row.actorId }));
    const recorded = Date.parse(row.recordedAt);
    const times =
      edits.length > 0
        ? edits.map(({ time }) => Math.min(time, recorded))
        : [Math.min(Date.parse(row.clientTime), recorded)];
    const { actorId, clientIds } = row;
    const bound = clientIds.map((client): [number, string] => [
      client,
      this.bindings.owners.get(client) ?? actorId,
    ]);
    writer?.event({
      actorId,
      bound,
      times,
      edits: edits.map(({ index }) => index),
      mark: row.type === "document.edited" ? null : row,
    });
    this.revisions.begin();
    const author = this.revisions.authorOf(actorId);
    appendAll(this.anomalies, anomalies);
    if (edits.length === 0) this.revisions.push(0, author, times[0] ?? 0);
    for (const [index, edit] of edits.entries()) {
      writer?.edit(edit.inspected.parts);
      this.apply(edit, this.revisions.push(edit.index, author, times[index] ?? 0));
    }
    if (row.type !== "document.edited") this.mark(row);
    return anomalies;
  }

  /** Binds a Yjs client id to the owner that an event declared. */
  bind(client: number, owner: string): void {
    if (!this.bindings.owners.has(client)) this.bindings.owners.set(client, owner);
  }

  /** Records that the last event is more than a text edit. */
  mark({ id, type, subject, actorId, body, toPhase }: Omit<Mark, "revision" | "version">): void {
    this.marks.push({
      revision: this.revisions.length - 1,
      id,
      version: this.revisions.version,
      type,
      subject,
      actorId,
      body,
      toPhase,
    });
  }

  /** Returns the events so far that are more than text edits. */
  markedEvents(): readonly Mark[] {
    return this.marks;
  }

  addAnomaly(anomaly: Anomaly): void {
    this.anomalies.push(anomaly);
  }

  /** Updates each client's clock after segments were read. */
  catchUp(): void {
    for (const [number, { client }] of this.sequence.ids.clients.entries())
      this.bindings.reached.set(client, this.sequence.ids.reached(number));
  }

  /** Returns the data of everything added so far. More events may be added afterwards. */
  finish(): TimelineData {
    const revisions = this.revisions.finish();
    const [marks, anomalies] = [[...this.marks], [...this.anomalies]];
    return {
      revisions,
      historyText: columnsOf(this.sequence, revisions.authors),
      rhythm: rhythmOf(revisions, marks),
      marks,
      anomalies,
    };
  }

  /** Returns the newest state as one Yjs update. */
  state(): Uint8Array {
    return stateOf(this.sequence);
  }

  private apply(edit: ValidatedEdit, revision: number): void {
    try {
      applyParts(this.sequence, edit.inspected.parts, revision);
    } catch (error) {
      if (!(error instanceof KnottedUpdate)) throw error;
      throw new BrokenRecording("Circular dependency in a recorded edit", { cause: error });
    }
  }
}
