import type { ByteReader } from "@/events/core/bytes/bytes";
import { ClientTable, relativeSource } from "@/events/crdt/payload/payload-clients";
import { tokenKind } from "@/events/crdt/updates/token-content";
import { readParts } from "@/events/crdt/updates/yjs-update";
import { applyParts } from "@/events/history/sequence/sequence-update";
import { none } from "@/events/history/sequence/token-ids";
import type { Recording } from "@/events/history/timeline/recording";
import { SegmentError } from "./segment-columns";
import {
  beforeErased,
  erasingBits,
  nextAfter,
  Pens,
  recordKind,
  recordKinds,
  neighbourCode,
  rightCode,
  typingBits,
} from "./segment-pens";
import type { Pen } from "./segment-pens";

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** The columns of a segment that hold insertions and deletions. */
type RecordColumns = Record<"records" | "places" | "text" | "parts", ByteReader>;

/** Reads a segment's records into the sequence of a recording whose revisions are known. */
export class RecordReader {
  private readonly recording: Recording;
  private readonly records: ByteReader;
  private readonly places: ByteReader;
  private readonly parts: ByteReader;
  private readonly text: string;
  private readonly table = new ClientTable();
  private readonly pens: Pens;
  private edits: readonly number[] = [];
  private letters = 0;

  constructor(recording: Recording, { records, places, text, parts }: RecordColumns) {
    this.recording = recording;
    this.pens = new Pens(recording.sequence);
    this.records = records;
    this.places = places;
    this.parts = parts;
    this.text = utf8.decode(text.bytes);
  }

  /** Reads every record. `edits` are the revisions that are edits, in order. */
  read(edits: readonly number[]): void {
    this.edits = edits;
    for (let at = 0; at < edits.length;) at += this.record(at);
  }

  /** Reads the next record and returns its number of edits. */
  private record(at: number): number {
    const head = this.records.varUint();
    const count = Math.floor(head / recordKinds);
    if (count === 0 || at + count > this.edits.length)
      throw new SegmentError("Record has no edits or too many");
    const kind = head % recordKinds;
    const first = this.edits[at] ?? 0;
    if (kind === recordKind.parts)
      for (let index = 0; index < count; index += 1) this.anyEdit(this.edits[at + index] ?? 0);
    else {
      const pen = this.pens.of(this.recording.revisions.authorAt(first));
      if (kind === recordKind.typing) this.typing(count, at, pen);
      else if (kind === recordKind.erasing) this.erasing(count, at, pen);
      else throw new SegmentError("Unknown record kind");
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
      throw new SegmentError("Position is outside the text");
    return token;
  }

  private typing(count: number, at: number, pen: Pen): void {
    const { sequence } = this.recording;
    const code = this.places.varUint();
    if ((code & typingBits.client) !== 0)
      pen.client = sequence.ids.numberOf(relativeSource(this.table, this.places).client());
    if (pen.client === none) throw new SegmentError("Typing record without a client");
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
      throw new SegmentError("Segment is missing characters");
    this.letters += count;
    const list = sequence.listOf(origin, right);
    const first = sequence.length;
    // A revision without an edit may lie between two letters, but rarely does so.
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
      throw new SegmentError("Position is outside the text");
    for (let index = 0; index < count; index += 1) {
      const token = first + index * step;
      if (sequence.kind[token] !== tokenKind.unplaced)
        sequence.kill(token, this.edits[at + index] ?? 0);
    }
    pen.erased = last;
  }
}
