import { ByteReader, ByteWriter } from "@/events/core/bytes/bytes";
import { copyInPayload, readCopyIn } from "./copy-in-payload";
import { decodeEdits, encodeEdits, PayloadError } from "./payload";
import type { Edit } from "./payload";
import { bringTombstone } from "./tombstone-payload";
import { structKind } from "@/events/crdt/updates/yjs-content";
import { kindOf, readUpdate, UpdateError, writeUpdate } from "@/events/crdt/updates/yjs-update";
import type { Struct } from "@/events/crdt/updates/yjs-update";

/**
 * The names of nodes, marks, attributes and roots in the schema. Any other name in an update may be
 * words that a person wrote.
 */
type KnownNames = ReadonlySet<string>;

const utf8 = new TextDecoder();
const nameOfNothing = new TextEncoder().encode("redacted");
const emptyUpdate = Uint8Array.of(0, 0);
const smallestWord = 63;

const typeRef = { element: 3, hook: 5 } as const;
const anyTag = { undefined: 127, null: 126, integer: 125, no: 121, yes: 120 } as const;

/**
 * Creates the tombstone that replaces an event's update. The tombstone keeps every edit's time,
 * ids, clocks and lengths, so that dependent edits still apply, but no content. It keeps structure:
 * known names of nodes and marks, and small numbers such as a heading's level. `start` is the
 * event's `clientTime` in milliseconds.
 */
export function redact(update: Uint8Array | null, start: number, known: KnownNames): Uint8Array {
  if (!update) return bringTombstone(null);
  const copyIn = readCopyIn(update);
  const payload = encodeEdits(
    editsOf(copyIn?.payload ?? update, start).map((edit) => ({
      ...edit,
      update: withoutContent(edit.update, known),
    })),
  );
  return bringTombstone(copyIn ? copyInPayload({ source: copyIn.source, payload }) : payload);
}

/** Whether a tombstone's payload holds structure only. Names are not checked (no schema). */
export function isWithoutContent(update: Uint8Array): boolean {
  return readUpdate(update).blocks.every(({ structs }) => structs.every(isBare));
}

function editsOf(payload: Uint8Array, start: number): Edit[] {
  try {
    return decodeEdits(payload, start);
  } catch (error) {
    // Readers skip an unreadable payload, so its tombstone is empty.
    if (error instanceof PayloadError) return [];
    throw error;
  }
}

function withoutContent(update: Uint8Array, known: KnownNames): Uint8Array {
  try {
    const { blocks, deletes } = readUpdate(update);
    return writeUpdate({
      blocks: blocks.map((block) => ({
        ...block,
        structs: block.structs.map((struct) => bare(struct, known)),
      })),
      deletes,
    });
  } catch (error) {
    // Readers skip an unreadable edit. An empty one keeps the positions of later edits.
    if (error instanceof UpdateError) return emptyUpdate;
    throw error;
  }
}

function bare(struct: Struct, known: KnownNames): Struct {
  const named = {
    ...struct,
    rootName: knownName(struct.rootName, known),
    parentSub: knownName(struct.parentSub, known),
  };
  return isStructure(struct, known)
    ? named
    : {
        ...named,
        info: (struct.info & ~0x1f) | structKind.deleted,
        content: varUint(struct.length),
      };
}

function knownName(name: Uint8Array | null, known: KnownNames): Uint8Array | null {
  return name && !known.has(utf8.decode(name)) ? nameOfNothing : name;
}

function isStructure(struct: Struct, known: KnownNames): boolean {
  if (!isBare(struct)) return false;
  const reader = new ByteReader(struct.content);
  const kind = kindOf(struct);
  if (kind === structKind.format) return known.has(utf8.decode(reader.block()));
  if (kind !== structKind.type) return true;
  const type = reader.varUint();
  return (
    (type !== typeRef.element && type !== typeRef.hook) || known.has(utf8.decode(reader.block()))
  );
}

/** Whether a struct holds no words other than in its names. */
function isBare(struct: Struct): boolean {
  const reader = new ByteReader(struct.content);
  switch (kindOf(struct)) {
    case structKind.gc:
    case structKind.skip:
    case structKind.deleted:
    case structKind.type:
      return true;
    case structKind.format:
      reader.block();
      return ["null", "true", "false", "{}"].includes(utf8.decode(reader.block()));
    case structKind.any:
      return reader.varUint() === 1 && isSmall(reader);
    default:
      return false;
  }
}

function isSmall(reader: ByteReader): boolean {
  const tag = reader.byte();
  if (tag === anyTag.integer) return Math.abs(reader.varInt()) <= smallestWord;
  return tag === anyTag.undefined || tag === anyTag.null || tag === anyTag.no || tag === anyTag.yes;
}

function varUint(value: number): Uint8Array {
  const writer = new ByteWriter();
  writer.varUint(value);
  return writer.result();
}
