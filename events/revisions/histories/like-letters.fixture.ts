import { encodeEdits, decodeEdits } from "@/events/crdt/payload/payload";
import { structKind } from "@/events/crdt/updates/yjs-content";
import { kindOf, readUpdate, writeUpdate } from "@/events/crdt/updates/yjs-update";
import type { Struct } from "@/events/crdt/updates/yjs-update";
import type { TimelineRow } from "@/events/history/timeline/timeline";

/**
 * The first UTF-8 byte of a Korean syllable, the only letters of random histories. Two more bytes
 * follow.
 */
const syllable = 0xea;

/** Returns the same struct with only this many distinct letters. */
function withLikeLetters(struct: Struct, distinct: number): Struct {
  if (kindOf(struct) !== structKind.string) return struct;
  const content = struct.content.slice();
  for (let at = 0; at + 2 < content.length; at += 1) {
    if (content[at] !== syllable) continue;
    const number = ((content[at + 1] ?? 0) % 64) * 64 + ((content[at + 2] ?? 0) % 64);
    content.set([syllable, 0xb0, 0x80 + (number % distinct)], at);
    at += 2;
  }
  return { ...struct, content };
}

/** Returns the rows of a log with the same edits, but few distinct letters. */
export function likeLetters(rows: readonly TimelineRow[], distinct: number): TimelineRow[] {
  return rows.map((row) => {
    if (!row.update) return row;
    const edits = decodeEdits(row.update, Date.parse(row.clientTime)).map(({ update, time }) => {
      const { blocks, deletes } = readUpdate(update);
      const like = blocks.map((block) => ({
        ...block,
        structs: block.structs.map((struct) => withLikeLetters(struct, distinct)),
      }));
      return { update: writeUpdate({ blocks: like, deletes }), time };
    });
    return { ...row, update: encodeEdits(edits) };
  });
}
