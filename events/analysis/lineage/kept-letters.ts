import { never } from "@/events/crdt/updates/lifespans";
import { bornStep, diedStep, runEnd } from "@/events/history/timeline/life-runs";
import type { LifeRuns } from "@/events/history/timeline/life-runs";
import { scriptOf } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";
import { undoneReturns } from "./returns";
import type { Return } from "./returns";

/** Whether an event restored a character. */
type Keeps = (at: number) => boolean;

/** The revisions at which each character was inserted and deleted, by character index. */
type Lives = { born: Uint32Array; died: Uint32Array };

/** The most revisions of a version that are searched for the restored one. */
const mostRevisions = 64;

function livesOf(runs: LifeRuns): Lives {
  const lives = { born: new Uint32Array(runs.length), died: new Uint32Array(runs.length) };
  for (let run = 0; run < runs.start.length; run += 1) {
    const [from, to, steps] = [runs.start[run] ?? 0, runEnd(runs, run), runs.steps[run] ?? 0];
    const [born, died] = [runs.born[run] ?? 0, runs.died[run] ?? 0];
    const [bornOn, diedOn] = [bornStep(steps), diedStep(steps)];
    for (let at = from; at < to; at += 1) {
      lives.born[at] = born + (at - from) * bornOn;
      lives.died[at] = died + (at - from) * diedOn;
    }
  }
  return lives;
}

/**
 * Finds the sources of letters that restores and reverts copied, even among equal letters. Such an
 * event is computed from the log. The log therefore determines which letters it restored, and the
 * letters return in the order in which they stood.
 */
export class KeptLetters {
  private readonly timeline: Timeline;
  private readonly text: Uint16Array;
  private readonly lives: Lives;
  /** The successive characters of each returned letter by each of them, in order of time. */
  private readonly chains = new Map<number, number[]>();

  constructor(timeline: Timeline) {
    const { text, runs } = timeline.historyText.columns;
    this.timeline = timeline;
    this.text = text;
    this.lives = livesOf(runs);
  }

  /** Records that an event copied the character `from` as the character `to`. */
  add(from: number, to: number): void {
    const chain = this.chains.get(from) ?? [from];
    chain.push(to);
    this.chains.set(from, chain);
    this.chains.set(to, chain);
  }

  /**
   * Returns the characters that an event copied, in order. The copies of all events `before` this
   * one must have been added. Null if the log does not determine the text at `copies`: a passage,
   * for example, is only a part of a version.
   */
  sourcesOf(
    event: Return,
    before: readonly Return[],
    copies: readonly { at: number; length: number }[],
  ): number[] | null {
    const written = copies.flatMap(({ at, length }) =>
      Array.from({ length }, (_, index) => at + index),
    );
    const ways =
      event.takesBack === null ? this.versionsOf(event) : this.takenBackBy(event, before);
    for (const keeps of ways) {
      const found = this.inOrder(event, keeps, written);
      if (found) return found;
    }
    return null;
  }

  /** Returns the deleted characters that `keeps` accepts, or null if their letters do not match. */
  private inOrder({ first }: Return, keeps: Keeps, copies: readonly number[]): number[] | null {
    const { born, died } = this.lives;
    const kept: number[] = [];
    for (let at = 0; at < this.text.length; at += 1) {
      if ((born[at] ?? never) >= first || (died[at] ?? never) >= first || !keeps(at)) continue;
      if (this.text[at] !== this.text[copies[kept.length] ?? never]) return null;
      kept.push(at);
    }
    if (kept.length !== copies.length) return null;
    return this.joins(kept, copies) ? this.asWritten(kept, copies) : kept;
  }

  /**
   * Whether letters of several blocks returned into one block: a block that was restored twice
   * returns as one.
   */
  private joins(kept: readonly number[], copies: readonly number[]): boolean {
    const { placeAt } = scriptOf(this.timeline);
    const sources = new Map<number, number>();
    return kept.some((at, index) => {
      const [from, to] = [placeAt(at).textblock, placeAt(copies[index] ?? 0).textblock];
      const known = sources.get(to) ?? from;
      sources.set(to, known);
      return known !== from;
    });
  }

  /**
   * Returns the characters in the order in which their letters were first typed, if the copies have
   * the same letters in that order.
   */
  private asWritten(kept: readonly number[], copies: readonly number[]): number[] {
    const first = (at: number) => this.chains.get(at)?.[0] ?? at;
    const sorted = kept.toSorted((one, other) => first(one) - first(other));
    const isWritten = sorted.every(
      (at, index) => this.text[at] === this.text[copies[index] ?? never],
    );
    return isWritten ? sorted : [...kept];
  }

  /** Yields, for each revision of the restored version, whether a character stood. Last first. */
  private *versionsOf({ span: [since, until] }: Return): Generator<Keeps> {
    const { born, died } = this.lives;
    for (let index = until; index > Math.max(since, until - mostRevisions); index -= 1)
      yield (at) => (born[at] ?? never) <= index && (died[at] ?? never) > index;
  }

  /** Returns tests of which characters a revert restores, one for each way to revert. */
  private takenBackBy(event: Return, before: readonly Return[]): Keeps[] {
    const { born, died } = this.lives;
    const [since, until] = event.span;
    const { author, from, to } = event.takesBack ?? { author: null, from: 0, to: 0 };
    const undone = new Uint8Array(this.timeline.length);
    for (let revision = since + 1; revision <= until; revision += 1)
      if (this.timeline.revision(revision).actorId === author) undone[revision] = 1;
    const isUndone = (revision = never) => undone[revision] === 1;
    const isUndoneReturn = undoneReturns(before, isUndone);
    const wasTaken = (at: number) => !isUndone(born[at]) && isUndone(died[at]);
    const isGone = (at: number) => (died[at] ?? never) < event.first;
    /**
     * A letter that was restored before exists in several characters. `choose` returns the one that
     * is restored, or null for none.
     */
    const choosing =
      (choose: (chain: readonly number[]) => number | null): Keeps =>
      (at) => {
        const chain = this.chains.get(at);
        return chain ? chain.every(isGone) && choose(chain) === at : wasTaken(at);
      };
    const lastTaken = choosing((chain) => chain.findLast(wasTaken) ?? null);
    const standing = (returnUndone: (revision?: number) => boolean) =>
      choosing((chain) => {
        const [first = 0] = chain;
        if (isUndone(born[first])) return null;
        let [stands, place] = [true, first];
        for (const at of chain) {
          if (at !== first && !returnUndone(born[at])) [stands, place] = [true, at];
          if (!isUndone(died[at]) && !isUndoneReturn(died[at] ?? never)) stands = false;
        }
        return stands && chain.some((at) => isUndone(born[at]) || isUndone(died[at]))
          ? place
          : null;
      });
    const stays = standing((revision = never) => isUndoneReturn(revision));
    const goes = standing((revision = never) => isUndone(revision) || isUndoneReturn(revision));
    // The undo of one event reverts that event's insertions and deletions. A larger revert follows
    // every letter through the range.
    return from === to ? [lastTaken, goes, stays, wasTaken] : [stays, lastTaken, goes, wasTaken];
  }
}
