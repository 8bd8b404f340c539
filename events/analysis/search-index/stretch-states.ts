import { never } from "@/events/crdt/updates/lifespans";
import type { Timeline } from "@/events/history/timeline/timeline";
import { rewritingOf } from "@/events/analysis/rewriting";
import type { TextStretch } from "./stretches";

/** The text of a stretch from the revision `from` to before the revision `until`. */
export type StretchState = {
  text: string;
  /** 1 for each of the stretch's characters that stood, else 0. */
  stands: Uint8Array;
  from: number;
  /** The first revision that changed the text, or null if it still stands. */
  until: number | null;
  /** The revision at which words of it were finally deleted, or null if none were. */
  gone: number | null;
};

type Draft = { stands: Uint8Array; from: number; until: number | null };

/** After this time without a change, in milliseconds, a stretch counts as finished. */
const settledAfter = 2 * 60_000;
/** This many letters, deleted in a row, are more than a typo. */
const fewLetters = 3;
const offsets = 2 ** 21;
const letter = /[\p{L}\p{N}\p{So}]/u;

/** Returns the changes of a stretch as `revision * offsets + offset`, in order of time. */
function changesOf({ textblock: { born, died }, from, to }: TextStretch): Float64Array {
  const changes: number[] = [];
  for (let at = from; at < to; at += 1) {
    changes.push((born[at] ?? 0) * offsets + at - from);
    if (died[at] !== never) changes.push((died[at] ?? 0) * offsets + at - from);
  }
  return Float64Array.from(changes).sort();
}

/** Follows a stretch through its history and keeps the texts that are worth finding again. */
class StretchHistory {
  readonly kept: Draft[] = [];
  private readonly stands: Uint8Array;
  private last = -1;
  /** The letters deleted since the last insertion, and the text before these deletions. */
  private removed = 0;
  private before: Draft | null = null;
  private readonly timeline: Timeline;
  private readonly stretch: TextStretch;
  private readonly named: readonly number[];
  private readonly isUndone: (revision: number) => boolean;

  constructor(timeline: Timeline, stretch: TextStretch, named: readonly number[]) {
    this.timeline = timeline;
    this.stretch = stretch;
    this.named = named;
    this.isUndone = rewritingOf(timeline).isUndone;
    this.stands = new Uint8Array(stretch.to - stretch.from);
  }

  run(): Draft[] {
    const changes = changesOf(this.stretch);
    for (let at = 0; at < changes.length;) {
      const revision = Math.floor((changes[at] ?? 0) / offsets);
      let end = at;
      while (end < changes.length && Math.floor((changes[end] ?? 0) / offsets) === revision)
        end += 1;
      this.change(revision, changes.subarray(at, end));
      at = end;
    }
    if (this.last >= 0) this.kept.push(this.draft(null));
    return this.kept;
  }

  private draft(until: number | null): Draft {
    return { stands: this.stands.slice(), from: this.last, until };
  }

  /** Whether the text of a stretch that is about to change was final. */
  private isSettled(revision: number): boolean {
    const { timeline, last, named } = this;
    return (
      timeline.authorOf(revision) !== timeline.authorOf(last) ||
      timeline.timeOf(revision) - timeline.timeOf(last) >= settledAfter ||
      named.some((at) => at >= last && at < revision)
    );
  }

  private change(revision: number, changes: Float64Array): void {
    // An undone restore removed final text, and its undo returned final text.
    const isUndone = this.isUndone(revision);
    if (this.last >= 0 && (isUndone || this.isSettled(revision))) {
      this.kept.push(this.draft(revision));
      this.removed = 0;
      this.before = null;
    } else if (this.removed === 0 && this.last >= 0) this.before = this.draft(revision);
    const { textblock, from } = this.stretch;
    let taken = 0;
    for (const change of changes) {
      const offset = change % offsets;
      const comes =
        textblock.born[from + offset] === revision && textblock.died[from + offset] !== revision;
      if (!comes && this.stands[offset] === 1 && letter.test(textblock.text[from + offset] ?? ""))
        taken += 1;
      this.stands[offset] = comes ? 1 : 0;
    }
    this.removed = taken === 0 || isUndone ? 0 : this.removed + taken;
    if (this.removed >= fewLetters && this.before) this.kept.push(this.before);
    if (this.removed === 0 || this.removed >= fewLetters) this.before = null;
    this.last = revision;
  }
}

function textOf({ textblock, from }: TextStretch, stands: Uint8Array): string {
  let text = "";
  for (let offset = 0; offset < stands.length; offset += 1)
    if (stands[offset] === 1) text += textblock.text[from + offset] ?? "";
  return text;
}

/** Returns when the first of a state's letters missing in the next one was finally deleted. */
function goneAt(
  { textblock, lives, from }: TextStretch,
  state: Uint8Array,
  next: Uint8Array | undefined,
): number | null {
  let gone: number | null = null;
  for (let offset = 0; offset < state.length; offset += 1) {
    if (state[offset] !== 1 || next?.[offset] === 1) continue;
    const died = textblock.died[from + offset] ?? never;
    if (lives.gone[from + offset] !== died || !letter.test(textblock.text[from + offset] ?? ""))
      continue;
    gone = Math.min(gone ?? died, died);
  }
  return gone;
}

/**
 * Returns the states of a stretch: each final text, the text before deletions, and the text at each
 * named revision. Each state stood exactly from `from` to before `until`.
 */
export function statesOf(
  timeline: Timeline,
  stretch: TextStretch,
  named: readonly number[],
): StretchState[] {
  const drafts = new StretchHistory(timeline, stretch, named).run();
  const { isMove } = rewritingOf(timeline);
  return drafts.flatMap(({ stands, from, until }, index) => {
    const text = textOf(stretch, stands);
    if (!letter.test(text)) return [];
    const gone = until === null ? null : goneAt(stretch, stands, drafts[index + 1]?.stands);
    const isNamed = named.some((at) => at >= from && (until === null || at < until));
    // Text that a restore removed and its undo returned is found at the place where it stands.
    if (until !== null && gone === null && !isNamed && isMove(until)) return [];
    return [{ text, stands, from, until, gone }];
  });
}
