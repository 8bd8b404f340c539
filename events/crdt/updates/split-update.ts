import { ByteReader, ByteWriter } from "@/events/core/bytes/bytes";
import { structKind } from "./yjs-content";
import { kindOf, originBit, readUpdate, rightOriginBit, writeUpdate } from "./yjs-update";
import type { DeleteBlock, Struct, UpdateParts } from "./yjs-update";

const deletesPerPiece = 10_000;

/**
 * Splits a big Yjs update into smaller ones of about `maxBytes` each, which have the same effect
 * when applied in order. A value that cannot be split (an embedded object) stays whole. An update
 * by several clients also stays whole.
 */
export function splitUpdate(update: Uint8Array, maxBytes: number): Uint8Array[] {
  if (update.length <= maxBytes) return [update];
  // Reads without a limit on structs: an update is split because it has more than readers accept.
  const parts = readUpdate(update, Number.POSITIVE_INFINITY);
  const [block] = parts.blocks;
  if (parts.blocks.length > 1) return [update];
  const pieces: UpdateParts[] = [];
  if (block) {
    const structs = block.structs.flatMap((struct) => cutText(block.client, struct, maxBytes));
    for (const group of grouped(structs, maxBytes)) {
      pieces.push({
        blocks: [{ client: block.client, clock: group[0]?.clock ?? block.clock, structs: group }],
        deletes: [],
      });
    }
  }
  for (const deletes of cutDeletes(parts.deletes)) pieces.push({ blocks: [], deletes });
  return pieces.map(writeUpdate);
}

function grouped(structs: Struct[], maxBytes: number): Struct[][] {
  const groups: Struct[][] = [];
  let size = 0;
  for (const struct of structs) {
    const last = groups.at(-1);
    if (last && size + struct.content.length <= maxBytes) last.push(struct);
    else {
      groups.push([struct]);
      size = 0;
    }
    size += struct.content.length + 32;
  }
  return groups;
}

/**
 * Splits a long string into several, each dependent on the previous one, as Yjs itself splits an
 * item. Any other struct stays whole.
 */
export function cutText(client: number, struct: Struct, maxBytes: number): Struct[] {
  if (kindOf(struct) !== structKind.string || struct.content.length <= maxBytes) return [struct];
  const text = new TextDecoder().decode(new ByteReader(struct.content).block());
  const pieces: Struct[] = [];
  let clock = struct.clock;
  for (const piece of textPieces(text, Math.floor(maxBytes / 3))) {
    const first = pieces.length === 0;
    pieces.push({
      ...struct,
      ...(!first && {
        info: structKind.string | originBit | (struct.rightOrigin ? rightOriginBit : 0),
        origin: { client, clock: clock - 1 },
        parent: null,
        rootName: null,
        parentSub: null,
      }),
      clock,
      length: piece.length,
      content: stringContent(piece),
    });
    clock += piece.length;
  }
  return pieces;
}

/** Splits a text into pieces of at most `units` UTF-16 units, never within a surrogate pair. */
function textPieces(text: string, units: number): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + units);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end -= 1;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

function stringContent(text: string): Uint8Array {
  const writer = new ByteWriter();
  const bytes = new TextEncoder().encode(text);
  writer.varUint(bytes.length);
  writer.write(bytes);
  return writer.result();
}

function cutDeletes(deletes: DeleteBlock[]): DeleteBlock[][] {
  const pieces: DeleteBlock[][] = [];
  for (const { client, ranges } of deletes) {
    for (let at = 0; at < ranges.length; at += deletesPerPiece) {
      pieces.push([{ client, ranges: ranges.slice(at, at + deletesPerPiece) }]);
    }
  }
  return pieces;
}
