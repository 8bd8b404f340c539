import { ByteReader, ByteWriter } from "@/events/core/bytes/bytes";
import { ClientTable, relativeSink } from "@/events/crdt/payload/payload-clients";
import { structKind } from "@/events/crdt/updates/yjs-content";
import { kindOf, writeParts } from "@/events/crdt/updates/yjs-update";
import type { Id, UpdateParts } from "@/events/crdt/updates/yjs-update";
import type { Sequence } from "@/events/history/sequence/sequence";
import { none } from "@/events/history/sequence/token-ids";
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

type Typed = { client: number; origin: number; right: number; letter: string };
/** An open record. `at` is the letter erased last; `from` is the pen before its first letter. */
type Run = {
  kind: number;
  author: number;
  count: number;
  first: number;
  at: number;
  step: number;
  from: Pen;
};

const utf8 = new TextEncoder();
const surrogates = /[\ud800-\udfff]/;

/** The columns of a segment that hold insertions and deletions. */
type RecordColumns = Record<"records" | "places" | "text" | "parts", Uint8Array>;

/** Writes edits as records: consecutive typed or erased letters as one, other edits unchanged. */
export class RecordWriter {
  private readonly sequence: Sequence;
  private readonly records = new ByteWriter();
  private readonly text: string[] = [];
  private readonly parts = new ByteWriter();
  private readonly places = new ByteWriter();
  private readonly table = new ClientTable();
  private readonly pens: Pens;
  private author = 0;
  private run: Run | null = null;

  constructor(sequence: Sequence) {
    this.sequence = sequence;
    this.pens = new Pens(sequence);
  }

  /** Writes an author's next edit. Call this before the edit is applied to the sequence. */
  edit(author: number, parts: UpdateParts): void {
    this.author = author;
    const pen = this.pens.of(this.author);
    const typed = this.typed(parts);
    if (typed) return this.type(typed, pen);
    const erased = this.erased(parts);
    if (erased !== none) return this.erase(erased, pen);
    this.continue(recordKind.parts, none, pen);
    writeParts(relativeSink(this.table, this.parts), parts);
    this.pens.afterParts(pen, parts);
  }

  /** Returns the columns written so far. */
  finish(): RecordColumns {
    this.flush();
    return {
      records: this.records.result(),
      places: this.places.result(),
      text: utf8.encode(this.text.join("")),
      parts: this.parts.result(),
    };
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

  /** Writes a token relative to the pen's last one. */
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
