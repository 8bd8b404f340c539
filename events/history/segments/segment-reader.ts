import { type Anomaly } from "@/events/crdt/validation/validation";
import { ByteReader, BytesError } from "@/events/core/bytes";
import { type Json } from "@/events/core/envelope";
import { ClientTable, relativeSource } from "@/events/crdt/payload/payload-clients";
import { type Recording } from "@/events/history/timeline/recording";
import { guarded, SegmentError, unpackColumns } from "./segment-columns";
import {
  beforeErased,
  erasingBits,
  nextAfter,
  type Pen,
  Pens,
  recordKind,
  recordKinds,
  neighbourCode,
  rightCode,
  typingBits,
} from "./segment-pens";
import { anomalyReasons } from "./segment-writer";
import { none } from "@/events/history/sequence/token-ids";
import { applyParts, KnottedUpdate } from "@/events/history/sequence/sequence-update";
import { tokenKind } from "@/events/crdt/updates/token-content";
import { readParts } from "@/events/crdt/updates/yjs-update";

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
const frameMs = 16;
const maxRevisions = 2 ** 22;
const bits = { skips: 1, fine: 2, mark: 4, clients: 8 } as const;

/** The first version of a segment, and the last. */
type SegmentRange = { from: number; to: number };

/** Puts what a segment holds into a recording that has come exactly as far as its beginning. */
class SegmentReader {
  private readonly recording: Recording;
  private readonly facts: ByteReader;
  private readonly events: ByteReader;
  private readonly times: ByteReader;
  private readonly records: ByteReader;
  private readonly places: ByteReader;
  private readonly parts: ByteReader;
  private readonly text: string;
  private readonly table = new ClientTable();
  private readonly pens: Pens;
  private readonly authors: number[] = [];
  private readonly userIds: string[] = [];
  /** The revisions that are edits, in order. */
  private readonly edits: number[] = [];
  private letters = 0;

  constructor(recording: Recording, bytes: Uint8Array) {
    const [facts, events, times, records, places, text, parts] = unpackColumns(bytes).map(
      (column) => new ByteReader(column),
    );
    if (!facts || !events || !times || !records || !places || !text || !parts)
      throw new SegmentError("A segment has too few columns.");
    this.recording = recording;
    this.pens = new Pens(recording.sequence);
    this.facts = facts;
    this.events = events;
    this.times = times;
    this.records = records;
    this.places = places;
    this.parts = parts;
    this.text = utf8.decode(text.bytes);
  }

  read(): SegmentRange {
    const { facts, recording } = this;
    const from = facts.varUint();
    const versions = facts.varUint();
    const revisionCount = facts.varUint();
    const latest = facts.varUint();
    if (from !== recording.revisions.version + 1)
      throw new SegmentError(
        `A segment begins at version ${from}, and ${recording.revisions.version + 1} is wanted.`,
      );
    if (revisionCount > maxRevisions || versions > revisionCount)
      throw new SegmentError("A segment has too many moments.");
    const end = recording.revisions.length + revisionCount;
    let now = latest;
    for (let left = versions; left > 0; left -= 1) {
      now = this.event(now);
      if (recording.revisions.length > end)
        throw new SegmentError("A segment has more moments than it says.");
    }
    this.readAnomalies();
    for (let at = 0; at < this.edits.length;) at += this.record(at);
    return { from, to: recording.revisions.version };
  }

  private words(): string {
    return utf8.decode(this.facts.block());
  }

  private event(latest: number): number {
    const { facts, recording, times } = this;
    const { revisions } = recording;
    const local = this.events.varUint();
    if (local > this.authors.length) throw new SegmentError("An author is unknown.");
    if (local === this.authors.length) {
      this.userIds.push(this.words());
      this.authors.push(revisions.authorOf(this.userIds.at(-1) ?? ""));
    }
    const head = this.events.varUint();
    const edits = Math.floor(head / 16);
    if (edits > maxRevisions) throw new SegmentError("An event has too many edits.");
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
      if (!reason) throw new SegmentError("An anomaly has no reason.");
      this.recording.addAnomaly({
        version,
        index,
        actorId: this.userIds[author] ?? "",
        reason,
      } satisfies Anomaly);
    }
  }

  /** Takes the next record in and answers how many edits it was. */
  private record(at: number): number {
    const head = this.records.varUint();
    const count = Math.floor(head / recordKinds);
    if (count === 0 || at + count > this.edits.length)
      throw new SegmentError("A record has an impossible number of edits.");
    const kind = head % recordKinds;
    const first = this.edits[at] ?? 0;
    if (kind === recordKind.parts)
      for (let index = 0; index < count; index += 1) this.anyEdit(this.edits[at + index] ?? 0);
    else {
      const pen = this.pens.of(this.recording.revisions.authorAt(first));
      if (kind === recordKind.typing) this.typing(count, at, pen);
      else if (kind === recordKind.erasing) this.erasing(count, at, pen);
      else throw new SegmentError("A record is of an unknown kind.");
    }
    return count;
  }

  private anyEdit(revision: number): void {
    const { sequence, revisions } = this.recording;
    const pen = this.pens.of(revisions.authorAt(revision));
    const parts = readParts(relativeSource(this.table, this.parts));
    applyParts(sequence, parts, revision);
    this.pens.afterParts(pen, parts);
  }

  private token(pen: Pen): number {
    const token = pen.last + this.places.varInt();
    if (
      token < 0 ||
      token >= this.recording.sequence.length ||
      this.recording.sequence.ids.isWhole(token)
    )
      throw new SegmentError("A place is not in the text.");
    return token;
  }

  private typing(count: number, at: number, pen: Pen): void {
    const { sequence } = this.recording;
    const code = this.places.varUint();
    if ((code & typingBits.client) !== 0)
      pen.client = sequence.ids.numberOf(relativeSource(this.table, this.places).client());
    if (pen.client === none) throw new SegmentError("Nobody is writing.");
    const byOrigin = Math.floor(code / typingBits.origin) & 3;
    const byRight = Math.floor(code / typingBits.right) & 3;
    const origin =
      byOrigin === neighbourCode.none
        ? none
        : byOrigin === neighbourCode.last
          ? pen.last
          : byOrigin === neighbourCode.erased
            ? beforeErased(sequence, pen)
            : this.token(pen);
    const right =
      byRight === rightCode.none
        ? none
        : byRight === rightCode.pen
          ? pen.right
          : byRight === rightCode.next
            ? nextAfter(sequence, origin)
            : this.token(pen);
    const text = this.text.slice(this.letters, this.letters + count);
    if (text.length !== count || (origin === none && right === none))
      throw new SegmentError("A segment has too few letters.");
    this.letters += count;
    const list = sequence.listOf(origin, right);
    const first = sequence.length;
    // A revision without an edit may lie between two letters; mostly none does.
    if (this.edits[at + count - 1] === (this.edits[at] ?? 0) + count - 1)
      sequence.write(pen.client, list, origin, right, text, this.edits[at] ?? 0, 1);
    else
      for (let index = 0; index < count; index += 1)
        sequence.write(
          pen.client,
          list,
          index === 0 ? origin : first + index - 1,
          right,
          text.charAt(index),
          this.edits[at + index] ?? 0,
        );
    this.table.advance(
      sequence.ids.clients[pen.client]?.client ?? 0,
      sequence.ids.reached(pen.client),
    );
    pen.last = sequence.length - 1;
    pen.right = right;
    pen.erased = none;
  }

  private erasing(count: number, at: number, pen: Pen): void {
    const { sequence } = this.recording;
    const code = this.places.varUint();
    const place = Math.floor(code / erasingBits.place) & 3;
    const step = (code & erasingBits.forward) !== 0 ? 1 : -1;
    const first =
      place === neighbourCode.last
        ? pen.last
        : place === neighbourCode.erased
          ? pen.erased - 1
          : place === neighbourCode.none
            ? pen.erased + 1
            : this.token(pen);
    const last = first + (count - 1) * step;
    if (Math.min(first, last) < 0 || Math.max(first, last) >= sequence.length)
      throw new SegmentError("A place is not in the text.");
    for (let index = 0; index < count; index += 1) {
      const token = first + index * step;
      if (sequence.kind[token] !== tokenKind.unplaced)
        sequence.kill(token, this.edits[at + index] ?? 0);
    }
    pen.erased = last;
  }
}

function parsedBody(text: string): Json {
  try {
    // What JSON.parse returns is Json by the definition of JSON.
    return JSON.parse(text) as Json;
  } catch {
    throw new SegmentError("A body is not JSON.");
  }
}

/**
 * Puts a segment into a recording that has come as far as its beginning; throws SegmentError, with
 * part of it done, on bytes that no writer of ours made.
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
