import { never } from "@/events/crdt/updates/lifespans";
import type { TextblockHistory } from "@/events/history/timeline/script";
import type { Lives } from "@/events/analysis/rewriting";

/** A range of all text that ever stood in a textblock. `to` is exclusive. */
export type TextStretch = { textblock: TextblockHistory; lives: Lives; from: number; to: number };

/** A textblock is searched in stretches of about this many characters. They end between words. */
const usual = 1_000;
const longest = 1_500;

/** Returns the offset after the first space in a range, preferring a space that stands. */
function spaceIn({ text, died }: TextblockHistory, from: number, to: number): number | null {
  let gone: number | null = null;
  for (let at = from; at < to; at += 1) {
    if (!/\s/u.test(text[at] ?? "")) continue;
    if (died[at] === never) return at + 1;
    gone ??= at + 1;
  }
  return gone;
}

/** Returns the ranges of a textblock's stretches. */
export function stretchesOf(textblock: TextblockHistory): [from: number, to: number][] {
  const { length } = textblock.text;
  const stretches: [number, number][] = [];
  for (let from = 0; from < length;) {
    const to =
      length - from <= longest
        ? length
        : (spaceIn(textblock, from + usual, from + longest) ?? from + longest);
    stretches.push([from, to]);
    from = to;
  }
  return stretches;
}
