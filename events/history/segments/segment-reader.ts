import type { Anomaly } from "@/events/crdt/validation/validation";
import { ByteReader, BytesError } from "@/events/core/bytes/bytes";
import type { Json } from "@/events/core/envelope";
import { KnottedUpdate } from "@/events/history/sequence/sequence-update";
import type { Recording } from "@/events/history/timeline/recording";
import { RecordReader } from "./record-reader";
import { guarded, SegmentError, unpackColumns } from "./segment-columns";
import { anomalyReasons } from "./segment-writer";

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
const frameMs = 16;
const maxRevisions = 2 ** 22;
const bits = { skips: 1, fine: 2, mark: 4, clients: 8 } as const;

/** The first and last version of a segment. */
type SegmentRange = { from: number; to: number };

/** Reads a segment into a recording that ends exactly where the segment begins. */
class SegmentReader {
  private readonly recording: Recording;
  private readonly facts: ByteReader;
  private readonly events: ByteReader;
  private readonly times: ByteReader;
  private readonly records: RecordReader;
  private readonly authors: number[] = [];
  private readonly userIds: string[] = [];
  /** The revisions that are edits, in order. */
  private readonly edits: number[] = [];

  constructor(recording: Recording, bytes: Uint8Array) {
    const [facts, events, times, records, places, text, parts] = unpackColumns(bytes).map(
      (column) => new ByteReader(column),
    );
    if (!facts || !events || !times || !records || !places || !text || !parts)
      throw new SegmentError("Segment has too few columns");
    this.recording = recording;
    this.facts = facts;
    this.events = events;
    this.times = times;
    this.records = new RecordReader(recording, { records, places, text, parts });
  }

  read(): SegmentRange {
    const { facts, recording } = this;
    const from = facts.varUint();
    const versions = facts.varUint();
    const revisionCount = facts.varUint();
    const latest = facts.varUint();
    if (from !== recording.revisions.version + 1)
      throw new SegmentError(
        `Segment starts at version ${from}, expected ${recording.revisions.version + 1}`,
      );
    if (revisionCount > maxRevisions || versions > revisionCount)
      throw new SegmentError("Segment has too many revisions");
    const end = recording.revisions.length + revisionCount;
    let now = latest;
    for (let left = versions; left > 0; left -= 1) {
      now = this.event(now);
      if (recording.revisions.length > end)
        throw new SegmentError("Segment has more revisions than declared");
    }
    this.readAnomalies();
    this.records.read(this.edits);
    return { from, to: recording.revisions.version };
  }

  private words(): string {
    return utf8.decode(this.facts.block());
  }

  private event(latest: number): number {
    const { facts, recording, times } = this;
    const { revisions } = recording;
    const local = this.events.varUint();
    if (local > this.authors.length) throw new SegmentError("Unknown author");
    if (local === this.authors.length) {
      this.userIds.push(this.words());
      this.authors.push(revisions.authorOf(this.userIds.at(-1) ?? ""));
    }
    const head = this.events.varUint();
    const edits = Math.floor(head / 16);
    if (edits > maxRevisions) throw new SegmentError("Event has too many edits");
    revisions.begin();
    const author = this.authors[local] ?? 0;
    let now = latest + times.varUint();
    for (let edit = 0; edit < Math.max(1, edits); edit += 1) {
      if (edit > 0) now += times.varUint() * ((head & bits.fine) !== 0 ? 1 : frameMs);
      const revision = revisions.push(
        (head & bits.skips) !== 0 && edits > 0 ? facts.varUint() : edit,
        author,
        now,
      );
      if (edits > 0) this.edits.push(revision);
    }
    if ((head & bits.clients) !== 0) {
      for (let left = facts.varUint(); left > 0; left -= 1)
        recording.bind(facts.varUint(), this.words() || (this.userIds[local] ?? ""));
    }
    if ((head & bits.mark) !== 0) {
      const [id, type, kind, subject, body, toPhase] = [
        this.words(),
        this.words(),
        this.words(),
        this.words(),
        this.words(),
        this.words(),
      ];
      recording.mark({
        id,
        type,
        subject: { kind, id: subject },
        body: parsedBody(body),
        toPhase,
        actorId: this.userIds[local] ?? "",
      });
    }
    return now;
  }

  private readAnomalies(): void {
    for (let left = this.facts.varUint(); left > 0; left -= 1) {
      const [version, index, author, reason] = [
        this.facts.varUint(),
        this.facts.varUint(),
        this.facts.varUint(),
        anomalyReasons[this.facts.varUint()],
      ];
      if (!reason) throw new SegmentError("Unknown anomaly reason");
      this.recording.addAnomaly({
        version,
        index,
        actorId: this.userIds[author] ?? "",
        reason,
      } satisfies Anomaly);
    }
  }
}

function parsedBody(text: string): Json {
  try {
    // The result of JSON.parse is Json by definition.
    return JSON.parse(text) as Json;
  } catch {
    throw new SegmentError("Event body is not valid JSON");
  }
}

/**
 * Reads a segment into a recording that ends where the segment begins. Throws SegmentError on bytes
 * that our writer did not make, possibly after applying part of them.
 */
export function readSegment(recording: Recording, bytes: Uint8Array): SegmentRange {
  return guarded(() => {
    try {
      return new SegmentReader(recording, bytes).read();
    } catch (error) {
      if (error instanceof KnottedUpdate) throw new BytesError(error.message);
      throw error;
    }
  });
}
