/** The space between notes, in px. */
export const noteGap = 22;
/** The distance in px by which a note is raised to align its first line with its words. */
export const noteLift = 3;
/** The interval between two layouts of the notes during playback, in ms. */
export const layoutEvery = 250;

/** A note with its desired top and its height, in px. */
export type MarginNote = { id: string; top: number; height: number };

/**
 * Places notes in a margin without overlaps. The note `held` stays beside its words. Later notes
 * move down, and earlier notes move up as far as the margin allows. Returns the tops by id. The
 * notes keep their order.
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
  // Notes that moved above the beginning move down again. All of them fit above the held note.
  let least = begin;
  for (const note of above) {
    const placed = Math.max(least, tops.get(note.id) ?? 0);
    tops.set(note.id, placed);
    least = placed + note.height + gap;
  }
  return tops;
}
