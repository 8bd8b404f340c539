import { ByteReader } from "@/events/core/bytes/bytes";
import type { Sequence } from "./sequence";
import { none } from "./token-ids";
import { readContent } from "@/events/crdt/updates/token-content";
import { structKind } from "@/events/crdt/updates/yjs-content";
import { kindOf } from "@/events/crdt/updates/yjs-update";
import type { Id, Struct, StructBlock, UpdateParts } from "@/events/crdt/updates/yjs-update";

/**
 * Thrown for an update with a circular dependency between its parts, which no order can resolve.
 */
export class KnottedUpdate extends Error {
  override name = "KnottedUpdate";
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

function known(sequence: Sequence, id: Id | null): boolean {
  return !id || id.clock < sequence.ids.reached(sequence.ids.numberOf(id.client));
}

/** Returns the list that a struct names itself, or `none` if Yjs would discard its content. */
function namedList(sequence: Sequence, { rootName, parent, parentSub }: Struct): number {
  let list = none;
  if (rootName) list = sequence.root(utf8.decode(rootName));
  else if (parent) {
    list = sequence.ids.tokenAt(sequence.ids.numberOf(parent.client), parent.clock);
    if (list === none || !sequence.holds(list)) return none;
  }
  return parentSub && list !== none ? sequence.chain(list, utf8.decode(parentSub)) : list;
}

function addStruct(sequence: Sequence, client: number, struct: Struct, revision: number): void {
  const { ids } = sequence;
  const number = ids.numberOf(client);
  const skipped = ids.reached(number) - struct.clock;
  if (skipped >= struct.length || kindOf(struct) === structKind.skip) return;
  const before = skipped > 0 ? { client, clock: struct.clock + skipped - 1 } : struct.origin;
  const origin = before ? sequence.endingAt(ids.numberOf(before.client), before.clock) : none;
  const right = struct.rightOrigin
    ? sequence.beginningAt(ids.numberOf(struct.rightOrigin.client), struct.rightOrigin.clock)
    : none;
  const kind = kindOf(struct);
  const inherits = struct.origin !== null || struct.rightOrigin !== null;
  const list =
    kind === structKind.gc
      ? none
      : inherits
        ? sequence.listOf(origin, right)
        : namedList(sequence, struct);
  const ticks = struct.length - skipped;
  if (kind === structKind.string) {
    const text = utf8.decode(new ByteReader(struct.content).block());
    sequence.write(number, list, origin, right, skipped > 0 ? text.slice(skipped) : text, revision);
  } else if (kind === structKind.gc || kind === structKind.deleted)
    sequence.leaveEmpty(number, list, origin, right, ticks, revision);
  else
    sequence.put(number, list, origin, right, ticks, readContent(kind, struct.content), revision);
}

/**
 * Adds a block's structs from `from` on until a dependency is missing. Returns the index where it
 * stopped.
 */
function addBlock(
  sequence: Sequence,
  { client, structs }: StructBlock,
  from: number,
  revision: number,
): number {
  for (let at = from; at < structs.length; at += 1) {
    const struct = structs[at];
    if (!struct) continue;
    if (![struct.origin, struct.rightOrigin, struct.parent].every((id) => known(sequence, id)))
      return at;
    addStruct(sequence, client, struct, revision);
  }
  return structs.length;
}

/**
 * Applies an accepted update to a sequence as one revision. Throws KnottedUpdate, with the update
 * half applied, if no order of its parts works.
 */
export function applyParts(
  sequence: Sequence,
  { blocks, deletes }: UpdateParts,
  revision: number,
): void {
  const sorted = blocks.length > 1 ? [...blocks].sort((a, b) => b.client - a.client) : blocks;
  const reached = sorted.map(() => 0);
  for (let progress = true; progress;) {
    progress = false;
    for (const [index, block] of sorted.entries()) {
      const from = reached[index] ?? 0;
      if (from === block.structs.length) continue;
      const to = addBlock(sequence, block, from, revision);
      reached[index] = to;
      progress ||= to > from;
    }
  }
  if (sorted.some(({ structs }, index) => reached[index] !== structs.length))
    throw new KnottedUpdate("Circular dependency in update");
  for (const { client, ranges } of deletes) {
    const number = sequence.ids.numberOf(client);
    for (const { clock, length } of ranges) sequence.erase(number, clock, length, revision);
  }
}
