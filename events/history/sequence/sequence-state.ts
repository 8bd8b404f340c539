import { ByteWriter } from "@/events/core/bytes/bytes";
import { never } from "@/events/crdt/updates/lifespans";
import type { Sequence } from "./sequence";
import { none } from "./token-ids";
import { tokenKind } from "@/events/crdt/updates/token-content";
import { structKind } from "@/events/crdt/updates/yjs-content";
import {
  originBit,
  parentSubBit,
  rightOriginBit,
  writeUpdate,
} from "@/events/crdt/updates/yjs-update";
import type { DeleteBlock, Id, Struct, StructBlock } from "@/events/crdt/updates/yjs-update";

const utf8 = new TextEncoder();

function block(bytes: Uint8Array): Uint8Array {
  const writer = new ByteWriter();
  writer.block(bytes);
  return writer.result();
}

/** The most arguments that are passed in a call. Every engine allows at least as many. */
const mostArguments = 0x2000;

function textBlock(units: Uint16Array): Uint8Array {
  const [first = 0] = units;
  // Most structs of a history are one such letter between the letters of others.
  if (units.length === 1 && first < 0x80) return Uint8Array.of(1, first);
  let text = "";
  for (let at = 0; at < units.length; at += mostArguments)
    text += String.fromCharCode(...units.subarray(at, at + mostArguments));
  return block(utf8.encode(text));
}

function count(ticks: number): Uint8Array {
  const writer = new ByteWriter();
  writer.varUint(ticks);
  return writer.result();
}

/** Encodes a sequence as Yjs would encode the document with the same edits. */
class StateWriter {
  private readonly sequence: Sequence;
  private readonly rootNames: Map<number, string>;

  constructor(sequence: Sequence) {
    this.sequence = sequence;
    this.rootNames = sequence.rootNames();
  }

  write(): Uint8Array {
    const blocks: StructBlock[] = [];
    const deletes: DeleteBlock[] = [];
    for (const [number, { client, pieces }] of this.sequence.ids.clients.entries()) {
      if (pieces.length === 0) continue;
      const structs = pieces.flatMap((piece) => this.structsOf(number, piece));
      blocks.push({ client, clock: 0, structs });
      const ranges = this.goneOf(pieces);
      if (ranges.length > 0) deletes.push({ client, ranges });
    }
    const descending = (a: { client: number }, b: { client: number }) => b.client - a.client;
    return writeUpdate({ blocks: blocks.sort(descending), deletes: deletes.sort(descending) });
  }

  private goneOf(pieces: readonly number[]): DeleteBlock["ranges"] {
    const { ids, died, kind } = this.sequence;
    const ranges: DeleteBlock["ranges"] = [];
    for (const index of pieces) {
      const piece = ids.piece(index);
      for (let at = 0; at < piece.ticks; at += piece.whole ? piece.ticks : 1) {
        const token = piece.token + at;
        if (died[token] === never || kind[token] === tokenKind.unplaced) continue;
        const length = piece.whole ? piece.ticks : 1;
        const clock = piece.clock + at;
        const last = ranges.at(-1);
        if (last && last.clock + last.length === clock) last.length += length;
        else ranges.push({ clock, length });
      }
    }
    return ranges;
  }

  private structsOf(number: number, index: number): Struct[] {
    const { ids, kind } = this.sequence;
    const piece = ids.piece(index);
    const structs: Struct[] = [];
    for (let at = 0; at < piece.ticks;) {
      const token = piece.token + at;
      const length = piece.whole ? piece.ticks : this.stretch(token, piece.ticks - at);
      const unplaced = kind[token] === tokenKind.unplaced;
      structs.push(
        unplaced
          ? this.struct(structKind.gc, piece.clock + at, length, token, count(length))
          : this.known(token, piece.clock + at, length, piece.whole),
      );
      at += length;
    }
    return structs;
  }

  /** Counts the tokens, from this one on, that form one struct. */
  private stretch(first: number, most: number): number {
    const { kind, right, parent, origin } = this.sequence;
    const content = this.sequence.contentOf(first);
    let length = 1;
    for (; length < most; length += 1) {
      const token = first + length;
      if (
        kind[token] !== kind[first] ||
        right[token] !== right[first] ||
        parent[token] !== parent[first]
      )
        break;
      if (kind[first] !== tokenKind.unplaced && origin[token] !== token - 1) break;
      if (kind[first] === tokenKind.char || kind[first] === tokenKind.unplaced) continue;
      if (this.sequence.contentOf(token) !== content || length >= (content?.ticks ?? 1)) break;
    }
    return length;
  }

  private known(token: number, clock: number, length: number, whole: boolean): Struct {
    if (whole) return this.struct(structKind.deleted, clock, length, token, count(length));
    const content = this.sequence.contentOf(token);
    if (content) return this.struct(content.struct, clock, length, token, content.bytes);
    const units = this.sequence.unit.subarray(token, token + length);
    return this.struct(structKind.string, clock, length, token, textBlock(units));
  }

  private struct(
    kind: number,
    clock: number,
    length: number,
    token: number,
    content: Uint8Array,
  ): Struct {
    const plain = {
      info: kind,
      clock,
      length,
      origin: null,
      rightOrigin: null,
      parent: null,
      rootName: null,
      parentSub: null,
      content,
    };
    if (kind === structKind.gc) return plain;
    const { sequence } = this;
    const origin = this.idOf(sequence.origin[token] ?? none, true);
    const rightOrigin = this.idOf(sequence.right[token] ?? none, false);
    const info = kind | (origin ? originBit : 0) | (rightOrigin ? rightOriginBit : 0);
    if (origin || rightOrigin) return { ...plain, info, origin, rightOrigin };
    const list = sequence.parent[token] ?? none;
    const isChain = sequence.kind[list] === tokenKind.chain;
    const parent = isChain ? (sequence.parent[list] ?? none) : list;
    const root = this.rootNames.get(parent);
    const key = isChain ? utf8.encode(sequence.keyOf(list)) : null;
    const place =
      root === undefined ? { parent: this.idOf(parent, false) } : { rootName: utf8.encode(root) };
    return { ...plain, info: info | (key ? parentSubBit : 0), parentSub: key, ...place };
  }

  /** Returns the id of a token's first or last clock. */
  private idOf(token: number, last: boolean): Id | null {
    if (token === none) return null;
    const { ids } = this.sequence;
    const { number, clock } = ids.idOf(token);
    const piece = ids.piece(ids.pieceAt(number, clock));
    return {
      client: ids.clients[number]?.client ?? 0,
      clock: last && piece.whole ? clock + piece.ticks - 1 : clock,
    };
  }
}

/** Returns a sequence's newest state as one Yjs v1 update, including all deleted content. */
export function stateOf(sequence: Sequence): Uint8Array {
  return new StateWriter(sequence).write();
}
