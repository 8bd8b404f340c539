/** The space between notes, in px. */
export const noteGap = 22;
/** How far a note stands above its words, so that the first lines align, in px. */
export const noteLift = 3;
/** The interval between layouts of the notes during playback, in ms. */
export const layoutEvery = 250;

/** A note with its desired top and its height, in px. */
export type MarginNote = { id: string; top: number; height: number };

/**
 * Places notes in a margin without overlaps: `held` beside its words, later ones pushed down,
 * earlier ones pushed up as far as the margin allows. Returns the tops by id; the order of the
 * notes is kept.
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
  // Notes pushed above the beginning move down again; there is room for all of them above the held
  // one.
  let least = begin;
  for (const note of above) {
    const placed = Math.max(least, tops.get(note.id) ?? 0);
    tops.set(note.id, placed);
    least = placed + note.height + gap;
  }
  return tops;
}
