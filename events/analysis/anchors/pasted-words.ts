import { scriptOf } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";

/** Letters with their positions in the script, and their text. */
type Run = { positions: number[]; text: string };
type Exchange = { came: Run; went: Run };

const space = /\s/;
const known = new WeakMap<Timeline, Map<number, Exchange>>();

/** Returns the letters that one revision inserted and deleted. */
function exchangeAt(timeline: Timeline, revision: number): Exchange {
  const revisions = known.get(timeline) ?? new Map<number, Exchange>();
  known.set(timeline, revisions);
  const found = revisions.get(revision);
  if (found) return found;
  const made: Exchange = { came: { positions: [], text: "" }, went: { positions: [], text: "" } };
  const take = (run: Run, position: number, letter: string) => {
    run.positions.push(position);
    run.text += letter;
  };
  for (const { text, start, born, died } of scriptOf(timeline).textblocks)
    for (let offset = 0; offset < text.length; offset += 1) {
      const letter = text[offset] ?? " ";
      if (space.test(letter)) continue;
      if (born[offset] === revision) take(made.came, start + offset, letter);
      if (died[offset] === revision) take(made.went, start + offset, letter);
    }
  revisions.set(revision, made);
  return made;
}

/**
 * Whether an edit put the letter `to` in place of the letter `from`, as a paste does after a cut.
 * The edit must insert exactly the text that an earlier edit of the same person deleted. Null if it
 * does not.
 */
export function isPasted(
  timeline: Timeline,
  from: { position: number; went: number },
  to: { position: number; came: number },
): boolean | null {
  if (to.came < from.went || timeline.authorOf(to.came) !== timeline.authorOf(from.went))
    return null;
  const { came } = exchangeAt(timeline, to.came);
  const { went } = exchangeAt(timeline, from.went);
  return came.text === went.text
    ? came.positions.indexOf(to.position) === went.positions.indexOf(from.position)
    : null;
}

/**
 * Whether letters were restored by an undo: right beside them stood letters that were deleted
 * before and read the same. These deleted letters must not all be in `own`.
 */
export function areOthersUndone(
  timeline: Timeline,
  letters: readonly number[],
  came: number,
  own: ReadonlySet<number>,
): boolean {
  const { textblocks, placeAt } = scriptOf(timeline);
  const letterAt = (position: number) => {
    const { textblock, offset } = placeAt(position);
    const block = textblocks[textblock];
    return { letter: block?.text[offset] ?? "", died: block?.died[offset] ?? 0 };
  };
  const text = letters.map((position) => letterAt(position).letter).join("");
  const isBeside = (from: number, step: 1 | -1): boolean => {
    let [read, isOwn] = ["", true];
    for (let at = from; at >= 0 && read.length < text.length; at += step) {
      const { letter, died } = letterAt(at);
      if (letter === "" || died > came) break;
      if (space.test(letter)) continue;
      isOwn &&= own.has(at);
      read = step > 0 ? read + letter : letter + read;
    }
    return read === text && !isOwn;
  };
  return isBeside((letters.at(-1) ?? 0) + 1, 1) || isBeside((letters[0] ?? 0) - 1, -1);
}
