/**
 * One appearance or disappearance of a letter. `byHand` if a person wrote or deleted it; restores,
 * reverts and merges move letters and write none.
 */
export type Turn = { revision: number; comes: boolean; byHand: boolean };

/**
 * A letter's turns up to a revision, without those that cancel out: a letter removed by one restore
 * and returned by another was never deleted, and one returned by a restore and removed by its undo
 * never came. The first turn is its birth.
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

/** When a letter last came back after a person had deleted it; null if it never did. */
export function returnIn(settled: readonly Turn[]): number | null {
  const back = settled.findLastIndex(({ comes }) => comes);
  return back > 0 ? (settled[back]?.revision ?? null) : null;
}
