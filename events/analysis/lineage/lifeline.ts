/**
 * One time that a letter came or went. `byHand` where somebody wrote or deleted it; an event that restores, takes back
 * or merges moves letters and writes none.
 */
export type Turn = { revision: number; comes: boolean; byHand: boolean };

/**
 * The turns of a letter up to a revision, less those that undid each other: what a restore took out and another one
 * brought back never went, and what a restore brought and its undo took out never came. The first turn is its birth.
 */
export function settledTurns(
  turns: readonly Turn[],
  to: number,
  isUndone: (revision: number) => boolean,
): Turn[] {
  const settled: Turn[] = [];
  for (const turn of turns) {
    if (turn.revision > to) break;
    if (!turn.byHand && isUndone(turn.revision)) continue;
    const last = settled.at(-1);
    if (last && settled.length > 1 && !last.byHand && !turn.byHand && last.comes !== turn.comes)
      settled.pop();
    else settled.push(turn);
  }
  return settled;
}

/** When a letter came back last after somebody had deleted it; null where it never did. */
export function returnIn(settled: readonly Turn[]): number | null {
  const back = settled.findLastIndex(({ comes }) => comes);
  return back > 0 ? (settled[back]?.revision ?? null) : null;
}
