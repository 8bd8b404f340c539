/** The space between notes, in pixels. */
export const noteGap = 22;
/** How far a note's first line stands above its words' line, so that both sit on one line. */
export const noteLift = 3;
/** How often notes are laid out anew while the past plays, in milliseconds. */
export const layoutEvery = 250;

/** A note that wants to stand at `top` and takes `height`, in pixels. */
export type MarginNote = { id: string; top: number; height: number };

/**
 * Where notes in a margin stand so that none covers another: `held` beside its words, those after it pushed down, those
 * before it pushed up, as far as the page's beginning allows. The tops by id; notes keep the order they are given in.
 */
export function marginLayout(
  notes: readonly MarginNote[],
  held: string | null,
  gap: number,
  begin = 0,
): Map<string, number> {
  const pivot = Math.max(
    0,
    notes.findIndex(({ id }) => id === held),
  );
  const above = notes.slice(0, pivot);
  const lowest = above.reduce((sum, { height }) => sum + height + gap, begin);
  const tops = new Map<string, number>();
  let top = Math.max(notes[pivot]?.top ?? 0, lowest);
  let next = top;
  for (const note of notes.slice(pivot)) {
    top = note === notes[pivot] ? next : Math.max(note.top, next);
    tops.set(note.id, top);
    next = top + note.height + gap;
  }
  let limit = tops.get(notes[pivot]?.id ?? "") ?? 0;
  for (const note of above.toReversed()) {
    limit = Math.min(note.top, limit - gap - note.height);
    tops.set(note.id, limit);
  }
  // Notes that were pushed past the beginning come down again; there is room for all of them above
  // the one that is held.
  let least = begin;
  for (const note of above) {
    const placed = Math.max(least, tops.get(note.id) ?? 0);
    tops.set(note.id, placed);
    least = placed + note.height + gap;
  }
  return tops;
}
