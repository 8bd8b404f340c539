import { never } from "@/events/crdt/updates/lifespans";
import { type Part, type Textblock } from "@/events/history/timeline/full-history-text";
import { type PassageRange, standsOf } from "./passage";
import { scriptOf } from "@/events/history/timeline/script";
import { type Timeline } from "@/events/history/timeline/timeline";

/** What somebody did to the look of a passage at a moment: the marks its words got, and those they lost, by type. */
export type PassageMarking = {
  moment: number;
  author: number;
  worn: string[];
  shed: string[];
  text: string;
};

const overlap = /--[a-zA-Z0-9+/=]{8}$/;

function textLines(node: Part | Textblock): Textblock[] {
  return node.kind === "line" ? [node] : node.children.flatMap(textLines);
}

/** The marks on each of a line's characters that stood at a moment, by offset. */
function looksAt({ pieces }: Textblock, at: number): Map<number, string[]> {
  const looks = new Map<number, string[]>();
  let marks: string[] = [];
  let offset = 0;
  for (const piece of pieces) {
    if (piece.kind === "turn") {
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

/** How the look of a passage was changed, in order: by whom, and which of its words. New words that come with their marks are no such change. */
export function markingsOf(timeline: Timeline, range: PassageRange): PassageMarking[] {
  const { lines } = scriptOf(timeline);
  const found = new Map<number, PassageMarking>();
  for (const [at, [from, to]] of [...standsOf(timeline, range)].sort(
    ([one], [other]) => one - other,
  )) {
    const line = lines[at];
    const block = line && timeline.blocks[line.block];
    const own =
      block &&
      textLines(block.node)[at - lines.findIndex(({ block: number }) => number === line.block)];
    if (!line || !own) continue;
    const moments = new Set(
      own.pieces.flatMap((piece) => (piece.kind === "turn" ? [piece.born, piece.died] : [])),
    );
    for (const moment of [...moments].filter((each) => each !== never).sort((a, b) => a - b)) {
      const [before, after] = [looksAt(own, moment - 1), looksAt(own, moment)];
      for (let offset = from; offset < to; offset += 1) {
        const [was, is] = [before.get(offset), after.get(offset)];
        if (!was || !is) continue;
        const [worn, shed] = [
          is.filter((mark) => !was.includes(mark)),
          was.filter((mark) => !is.includes(mark)),
        ];
        if (worn.length + shed.length === 0) continue;
        const told = found.get(moment) ?? {
          moment,
          author: timeline.authorOf(moment),
          worn: [],
          shed: [],
          text: "",
        };
        const union = (one: string[], other: string[]) => [...new Set([...one, ...other])];
        found.set(moment, {
          ...told,
          worn: union(told.worn, worn),
          shed: union(told.shed, shed),
          text: told.text + (line.text[offset] ?? ""),
        });
      }
    }
  }
  return [...found.values()].sort((a, b) => a.moment - b.moment);
}
