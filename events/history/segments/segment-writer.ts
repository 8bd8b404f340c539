import type { Anomaly, AnomalyReason } from "@/events/crdt/validation/validation";
import { ByteWriter } from "@/events/core/bytes/bytes";
import type { UpdateParts } from "@/events/crdt/updates/yjs-update";
import type { Sequence } from "@/events/history/sequence/sequence";
import type { RecordedEvent, RecordingWriter } from "@/events/history/timeline/recording";
import { RecordWriter } from "./record-writer";
import { packColumns } from "./segment-columns";

/** The order in which a segment numbers the reasons of rejected edits. */
export const anomalyReasons: readonly AnomalyReason[] = [
  "malformed",
  "foreign-client",
  "gap",
  "unsupported",
];

const utf8 = new TextEncoder();
const frameMs = 16;

/** Writes the events from a version on, in order, while they are applied to the sequence. */
export class SegmentWriter implements RecordingWriter {
  revisionCount = 0;
  private readonly facts = new ByteWriter();
  private readonly events = new ByteWriter();
  private readonly times = new ByteWriter();
  private readonly records: RecordWriter;
  private readonly authors = new Map<string, number>();
  private readonly fromVersion: number;
  private readonly fromTime: number;
  private versions = 0;
  private latest: number;
  private author = 0;

  /** `latest` is the time of the revision before the first. */
  constructor(sequence: Sequence, fromVersion: number, latest: number) {
    this.records = new RecordWriter(sequence);
    this.fromVersion = fromVersion;
    this.fromTime = latest;
    this.latest = latest;
  }

  /**
   * Writes the next event. Its edits, if any, follow one by one. `times` has one entry per edit, or
   * a single entry for all of them.
   */
  event({ actorId, bound, times, edits, mark }: RecordedEvent): void {
    this.versions += 1;
    const known = this.authors.get(actorId);
    const author = known ?? this.authors.size;
    if (known === undefined) this.authors.set(actorId, author);
    const skips = edits.some((edit, index) => edit !== index);
    const start = Math.max(this.latest, times[0] ?? 0);
    const waits: number[] = [];
    let before = this.latest;
    for (const time of times) {
      const now = Math.max(before, time);
      waits.push(now - before);
      before = now;
    }
    const fine = waits.slice(1).some((wait) => wait % frameMs !== 0);
    this.events.varUint(author);
    if (known === undefined) this.facts.block(utf8.encode(actorId));
    this.events.varUint(
      edits.length * 16 +
        (skips ? 1 : 0) +
        (fine ? 2 : 0) +
        (mark ? 4 : 0) +
        (bound.length > 0 ? 8 : 0),
    );
    this.times.varUint(start - this.latest);
    for (const wait of waits.slice(1)) this.times.varUint(fine ? wait : wait / frameMs);
    this.latest = before;
    this.revisionCount += waits.length;
    if (skips) for (const edit of edits) this.facts.varUint(edit);
    if (bound.length > 0) {
      this.facts.varUint(bound.length);
      for (const [client, owner] of bound) {
        this.facts.varUint(client);
        this.facts.block(utf8.encode(owner === actorId ? "" : owner));
      }
    }
    if (mark)
      for (const words of [
        mark.id,
        mark.type,
        mark.subject.kind,
        mark.subject.id,
        JSON.stringify(mark.body),
        mark.toPhase,
      ])
        this.facts.block(utf8.encode(words));
    this.author = author;
  }

  /**
   * Writes the next edit of the current event. Must precede the edit's application to the sequence.
   */
  edit(parts: UpdateParts): void {
    this.records.edit(this.author, parts);
  }

  /** Returns the segment's bytes. `anomalies` are those of its events. */
  finish(anomalies: readonly Anomaly[]): Uint8Array {
    const { records, places, text, parts } = this.records.finish();
    const head = new ByteWriter();
    for (const number of [this.fromVersion, this.versions, this.revisionCount, this.fromTime])
      head.varUint(number);
    head.write(this.facts.result());
    head.varUint(anomalies.length);
    for (const { version, index, actorId, reason } of anomalies) {
      head.varUint(version);
      head.varUint(index);
      head.varUint(this.authors.get(actorId) ?? 0);
      head.varUint(anomalyReasons.indexOf(reason));
    }
    const written = [head, this.events, this.times].map((column) => column.result());
    return packColumns([...written, records, places, text, parts]);
  }
}
