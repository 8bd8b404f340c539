/**
 * An insertion (`comes`) or removal of a letter. `byHand` is true if a person wrote or deleted it.
 * Restores, reverts and merges only move letters.
 */
export type Turn = { revision: number; comes: boolean; byHand: boolean };

/**
 * Returns a letter's turns up to a revision, without turns that cancel out. A letter that one
 * restore removed and another returned was never deleted. A letter that a restore returned and its
 * undo removed never returned. The first turn is the letter's first insertion.
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

/** Returns when a letter last returned after a person had deleted it, or null if it never did. */
export function returnIn(settled: readonly Turn[]): number | null {
  const back = settled.findLastIndex(({ comes }) => comes);
  return back > 0 ? (settled[back]?.revision ?? null) : null;
}
