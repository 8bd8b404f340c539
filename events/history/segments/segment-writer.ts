import { type Anomaly, type AnomalyReason } from "@/events/crdt/validation/validation";
import { ByteReader, ByteWriter } from "@/events/core/bytes";
import { ClientTable, relativeSink } from "@/events/crdt/payload/payload-clients";
import { packColumns } from "./segment-columns";
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
import { type Sequence } from "@/events/history/sequence/sequence";
import { none } from "@/events/history/sequence/token-ids";
import { type RecordedEvent, type RecordingWriter } from "@/events/history/timeline/recording";
import { structKind } from "@/events/crdt/updates/yjs-content";
import { type Id, kindOf, type UpdateParts, writeParts } from "@/events/crdt/updates/yjs-update";

type Typed = { client: number; origin: number; right: number; letter: string };
/** `at` is the letter erased last, and `from` the pen before the first of them. */
type Run = {
  kind: number;
  author: number;
  count: number;
  first: number;
  at: number;
  step: number;
  from: Pen;
};

/** The order in which a segment numbers why an edit was rejected. */
export const anomalyReasons: readonly AnomalyReason[] = [
  "malformed",
  "foreign-client",
  "gap",
  "unsupported",
];

const utf8 = new TextEncoder();
const frameMs = 16;
const surrogates = /[\ud800-\udfff]/;

/**
 * Writes what happened from one version on, in the order in which it happened, while the same is
 * put into the sequence.
 */
export class SegmentWriter implements RecordingWriter {
  revisionCount = 0;
  private readonly sequence: Sequence;
  private readonly facts = new ByteWriter();
  private readonly events = new ByteWriter();
  private readonly times = new ByteWriter();
  private readonly records = new ByteWriter();
  private readonly text: string[] = [];
  private readonly parts = new ByteWriter();
  private readonly places = new ByteWriter();
  private readonly table = new ClientTable();
  private readonly pens: Pens;
  private readonly authors = new Map<string, number>();
  private readonly fromVersion: number;
  private readonly fromTime: number;
  private versions = 0;
  private latest: number;
  private author = 0;
  private run: Run | null = null;

  /** `latest` is the time of the revision before the first. */
  constructor(sequence: Sequence, fromVersion: number, latest: number) {
    this.sequence = sequence;
    this.pens = new Pens(sequence);
    this.fromVersion = fromVersion;
    this.fromTime = latest;
    this.latest = latest;
  }

  /** The next event; its edits, if it has any, follow one by one. `times` has one for each, or one in all. */
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

  /** The next edit of the event begun last; to be called before it is put into the sequence. */
  edit(parts: UpdateParts): void {
    const pen = this.pens.of(this.author);
    const typed = this.typed(parts);
    if (typed) return this.type(typed, pen);
    const erased = this.erased(parts);
    if (erased !== none) return this.erase(erased, pen);
    this.continue(recordKind.parts, none, pen);
    writeParts(relativeSink(this.table, this.parts), parts);
    this.pens.afterParts(pen, parts);
  }

  /** The segment's bytes; `anomalies` are those of its events. */
  finish(anomalies: readonly Anomaly[]): Uint8Array {
    this.flush();
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
    const written = [head, this.events, this.times, this.records, this.places].map((column) =>
      column.result(),
    );
    return packColumns([...written, utf8.encode(this.text.join("")), this.parts.result()]);
  }

  private plain(id: Id): number {
    const { ids } = this.sequence;
    const piece = ids.pieceAt(ids.numberOf(id.client), id.clock);
    if (piece < 0 || ids.piece(piece).whole) return none;
    return ids.tokenAt(ids.numberOf(id.client), id.clock);
  }

  private typed({ blocks, deletes }: UpdateParts): Typed | null {
    const [block] = blocks;
    const [struct] = block?.structs ?? [];
    if (!block || !struct || blocks.length > 1 || block.structs.length > 1 || deletes.length > 0)
      return null;
    if (
      kindOf(struct) !== structKind.string ||
      struct.length !== 1 ||
      (!struct.origin && !struct.rightOrigin)
    )
      return null;
    const client = this.sequence.ids.numberOf(block.client);
    if (this.sequence.ids.reached(client) !== struct.clock) return null;
    const letter = new TextDecoder("utf-8", { ignoreBOM: true }).decode(
      new ByteReader(struct.content).block(),
    );
    const origin = struct.origin ? this.plain(struct.origin) : none;
    const right = struct.rightOrigin ? this.plain(struct.rightOrigin) : none;
    if (
      surrogates.test(letter) ||
      (struct.origin && origin === none) ||
      (struct.rightOrigin && right === none)
    )
      return null;
    return { client, origin, right, letter };
  }

  private erased({ blocks, deletes }: UpdateParts): number {
    const [block] = deletes;
    const [range] = block?.ranges ?? [];
    if (
      !block ||
      !range ||
      blocks.length > 0 ||
      deletes.length > 1 ||
      block.ranges.length > 1 ||
      range.length !== 1
    )
      return none;
    return this.plain({ client: block.client, clock: range.clock });
  }

  private type({ client, origin, right, letter }: Typed, pen: Pen): void {
    const follows = this.run?.kind === recordKind.typing && this.run.author === this.author;
    const first = this.sequence.length;
    this.text.push(letter);
    if (follows && pen.client === client && origin === pen.last && right === pen.right)
      this.continue(recordKind.typing, none, pen);
    else {
      this.begin(recordKind.typing, none, pen);
      const byOrigin =
        origin === none
          ? neighbourCode.none
          : origin === pen.last
            ? neighbourCode.last
            : origin === beforeErased(this.sequence, pen)
              ? neighbourCode.erased
              : neighbourCode.outright;
      const next = nextAfter(this.sequence, origin);
      const byRight =
        right === none
          ? rightCode.none
          : right === pen.right && pen.right !== none
            ? rightCode.pen
            : right === next
              ? rightCode.next
              : rightCode.outright;
      this.places.varUint(
        (pen.client === client ? 0 : typingBits.client) +
          byOrigin * typingBits.origin +
          byRight * typingBits.right,
      );
      if (pen.client !== client)
        relativeSink(this.table, this.places).client(
          this.sequence.ids.clients[client]?.client ?? 0,
        );
      if (byOrigin === neighbourCode.outright) this.token(origin, pen);
      if (byRight === rightCode.outright) this.token(right, pen);
    }
    const id = this.sequence.ids.clients[client]?.client ?? 0;
    this.table.advance(id, this.sequence.ids.reached(client) + 1);
    Object.assign(pen, { client, last: first, right, erased: none, brought: none } satisfies Pen);
  }

  private erase(token: number, pen: Pen): void {
    const run = this.run;
    const going =
      run?.kind === recordKind.erasing &&
      run.author === this.author &&
      Math.abs(token - run.at) === 1;
    if (going && (run.step === 0 || run.step === token - run.at)) {
      if (run.step === 0) run.step = token - run.at;
      this.continue(recordKind.erasing, token, pen);
    } else this.begin(recordKind.erasing, token, pen);
    pen.erased = token;
  }

  /** Tells a token by how far it is from what the pen wrote last. */
  private token(token: number, pen: Pen): void {
    this.places.varInt(token - pen.last);
  }

  private begin(kind: number, at: number, pen: Pen): void {
    this.flush();
    this.run = { kind, author: this.author, count: 1, first: at, at, step: 0, from: { ...pen } };
  }

  private continue(kind: number, at: number, pen: Pen): void {
    if (this.run?.kind !== kind) return this.begin(kind, at, pen);
    this.run.count += 1;
    this.run.at = at;
  }

  private flush(): void {
    const { run } = this;
    this.run = null;
    if (!run) return;
    this.records.varUint(run.count * recordKinds + run.kind);
    if (run.kind !== recordKind.erasing) return;
    const { from: pen, first: token } = run;
    const place =
      token === pen.last
        ? neighbourCode.last
        : pen.erased !== none && token === pen.erased - 1
          ? neighbourCode.erased
          : pen.erased !== none && token === pen.erased + 1
            ? neighbourCode.none
            : neighbourCode.outright;
    this.places.varUint((run.step > 0 ? erasingBits.forward : 0) + place * erasingBits.place);
    if (place === neighbourCode.outright) this.token(token, pen);
  }
}
