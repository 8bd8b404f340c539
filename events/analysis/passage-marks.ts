import { never } from "@/events/crdt/updates/lifespans";
import type { HistoryElement, Textblock } from "@/events/history/timeline/full-history-text";
import { standsOf } from "./passage";
import type { PassageRange } from "./passage";
import { scriptOf } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";

/** A change of a passage's formatting: the types of the marks that its words gained and lost. */
export type PassageMarking = {
  revision: number;
  author: number;
  worn: string[];
  shed: string[];
  text: string;
};

const overlap = /--[a-zA-Z0-9+/=]{8}$/;

function textblocksIn(node: HistoryElement | Textblock): Textblock[] {
  return node.kind === "textblock" ? [node] : node.children.flatMap(textblocksIn);
}

/** Returns the marks of each standing character of a textblock at a revision, by offset. */
function looksAt({ pieces }: Textblock, at: number): Map<number, string[]> {
  const looks = new Map<number, string[]>();
  let marks: string[] = [];
  let offset = 0;
  for (const piece of pieces) {
    if (piece.kind === "markBoundary") {
      if (piece.born > at || piece.died <= at) continue;
      const key = piece.key.replace(overlap, "");
      const rest = marks.filter((mark) => mark !== key);
      marks = piece.value === null ? rest : [...rest, key];
      continue;
    }
    for (let index = 0; index < piece.text.length; index += 1, offset += 1) {
      if ((piece.born[index] ?? never) <= at && (piece.died[index] ?? 0) > at)
        looks.set(offset, marks);
    }
  }
  return looks;
}

/**
 * Returns the formatting changes of a passage in order, each with its author and words. New words
 * that are inserted with their marks do not count.
 */
export function markingsOf(timeline: Timeline, range: PassageRange): PassageMarking[] {
  const { textblocks } = scriptOf(timeline);
  const found = new Map<number, PassageMarking>();
  for (const [at, [from, to]] of [...standsOf(timeline, range)].sort(
    ([one], [other]) => one - other,
  )) {
    const textblock = textblocks[at];
    const block = textblock && timeline.blocks[textblock.block];
    const own =
      block &&
      textblocksIn(block.node)[
        at - textblocks.findIndex(({ block: number }) => number === textblock.block)
      ];
    if (!textblock || !own) continue;
    const revisions = new Set(
      own.pieces.flatMap((piece) =>
        piece.kind === "markBoundary" ? [piece.born, piece.died] : [],
      ),
    );
    for (const revision of [...revisions].filter((each) => each !== never).sort((a, b) => a - b)) {
      const [before, after] = [looksAt(own, revision - 1), looksAt(own, revision)];
      for (let offset = from; offset < to; offset += 1) {
        const [was, is] = [before.get(offset), after.get(offset)];
        if (!was || !is) continue;
        const [worn, shed] = [
          is.filter((mark) => !was.includes(mark)),
          was.filter((mark) => !is.includes(mark)),
        ];
        if (worn.length + shed.length === 0) continue;
        const marked = found.get(revision) ?? {
          revision,
          author: timeline.authorOf(revision),
          worn: [],
          shed: [],
          text: "",
        };
        const union = (one: string[], other: string[]) => [...new Set([...one, ...other])];
        found.set(revision, {
          ...marked,
          worn: union(marked.worn, worn),
          shed: union(marked.shed, shed),
          text: marked.text + (textblock.text[offset] ?? ""),
        });
      }
    }
  }
  return [...found.values()].sort((a, b) => a.revision - b.revision);
}
