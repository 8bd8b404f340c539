import { settledTurns } from "@/events/analysis/lineage/lifeline";
import type { Turn } from "@/events/analysis/lineage/lifeline";
import { linked } from "./links";
import { movesOf } from "@/events/analysis/lineage/moves";
import { returnsOf, undoneReturns } from "@/events/analysis/lineage/returns";
import type { RewritingData } from "./rewriting-data";
import { never } from "@/events/crdt/updates/lifespans";
import { scriptOf } from "@/events/history/timeline/script";
import type { Script } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";

/** The successive characters of each letter of a history, with their insertions and deletions. */
export class LetterChains {
  /**
   * Whether a revision moved words without writing or deleting any: a restore, an undo, a merge.
   */
  readonly isMove: (revision: number) => boolean;
  /** Whether a revision belongs to an undone restore, or to the undo of a restore. */
  readonly isUndone: (revision: number) => boolean;
  private readonly data: RewritingData;
  private readonly script: Script;
  private readonly length: number;
  private readonly turns = new Map<number, Turn[]>();
  /** A cache: the first character of each letter plus one, or 0 if not computed yet. */
  private heads: Uint32Array | null = null;

  constructor(timeline: Timeline, data: RewritingData) {
    this.data = data;
    this.script = scriptOf(timeline);
    this.length = timeline.historyText.columns.runs.length;
    this.isMove = movesOf(timeline).isMove;
    this.isUndone = undoneReturns(returnsOf(timeline));
  }

  /** Returns the successive characters of a letter, up to the last that continues another. */
  chainOf(at: number): number[] {
    const chain = [this.firstOf(at)];
    for (;;) {
      const last = chain.at(-1) ?? at;
      const next = linked(this.data.copies, last) ?? linked(this.data.returned, last);
      if (next === null) return chain;
      chain.push(next);
    }
  }

  /**
   * Returns the first character whose place this character has through restores. For text that an
   * edit rewrote elsewhere, this is the rewritten character.
   */
  standOf(at: number): number {
    let stand = at;
    for (
      let source = linked(this.data.returnSources, stand);
      source !== null;
      source = linked(this.data.returnSources, stand)
    )
      stand = source;
    return stand;
  }

  /** Whether an event restored a character, as opposed to an edit that rewrote it. */
  isReturned(at: number): boolean {
    return linked(this.data.returns, at) !== null;
  }

  /** Returns a letter's turns up to a revision, without turns that cancel out. */
  settledAt(at: number, to: number): readonly Turn[] {
    return settledTurns(this.turnsOf(at), to, this.isUndone);
  }

  /** Returns all turns of a letter in order. Every copy of the letter has the same list. */
  turnsOf(at: number): readonly Turn[] {
    const first = this.firstOf(at);
    const known = this.turns.get(first);
    if (known) return known;
    const turns: Turn[] = [];
    for (const each of this.chainOf(first)) {
      const died = this.lifeAt(each, "died");
      // Text that one edit deletes and writes again does not count as deleted.
      if (turns.length > 0 && !this.isReturned(each)) turns.pop();
      else
        turns.push({
          revision: this.lifeAt(each, "born"),
          comes: true,
          byHand: turns.length === 0,
        });
      if (died !== never) turns.push({ revision: died, comes: false, byHand: !this.isMove(died) });
    }
    this.turns.set(first, turns);
    return turns;
  }

  /** Returns the character that this one was originally copied from, or itself if it is no copy. */
  firstOf(at: number): number {
    if (linked(this.data.sources, at) === null) return at;
    this.heads ??= new Uint32Array(this.length);
    const passed: number[] = [];
    let first = at;
    for (;;) {
      const known = this.heads[first] ?? 0;
      if (known > 0) {
        first = known - 1;
        break;
      }
      const source = linked(this.data.sources, first);
      if (source === null) break;
      passed.push(first);
      first = source;
    }
    for (const each of passed) this.heads[each] = first + 1;
    return first;
  }

  /** Returns the last copy that edits have made of a character. */
  lastOf(at: number): number {
    let last = at;
    for (
      let copy = linked(this.data.copies, last);
      copy !== null;
      copy = linked(this.data.copies, last)
    )
      last = copy;
    return last;
  }

  lifeAt(at: number, side: "born" | "died"): number {
    const { textblock, offset } = this.script.placeAt(at);
    return this.script.textblocks[textblock]?.[side][offset] ?? 0;
  }
}
