import { KeptLetters } from "@/events/analysis/lineage/kept-letters";
import { returnsOf } from "@/events/analysis/lineage/returns";
import type { Return } from "@/events/analysis/lineage/returns";
import { never } from "@/events/crdt/updates/lifespans";
import { bornStep } from "@/events/history/timeline/life-runs";
import type { RewrittenRun } from "./rewritten-runs";
import type { Script } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";

type Copies = { revision: number; at: number; length: number };

/** The most candidate characters that are skipped before the search for a source is given up. */
const mostPassed = 4_096;

/** Returns the contiguous text that some revisions inserted. */
function copiesOf(
  {
    historyText: {
      columns: { runs },
    },
  }: Pick<Timeline, "historyText">,
  isReturn: Uint8Array,
): Copies[] {
  const found: Copies[] = [];
  const take = (revision: number, at: number, length: number) => {
    if (isReturn[revision] !== 1) return;
    const last = found.at(-1);
    if (last?.revision === revision && last.at + last.length === at) last.length += length;
    else found.push({ revision, at, length });
  };
  for (let run = 0; run < runs.start.length; run += 1) {
    const [revision, from, to] = [
      runs.born[run] ?? 0,
      runs.start[run] ?? 0,
      runs.start[run + 1] ?? runs.length,
    ];
    const step = bornStep(runs.steps[run] ?? 0);
    if (step === 0) take(revision, from, to - from);
    else for (let at = from; at < to; at += 1) take(revision + (at - from) * step, at, 1);
  }
  return found;
}

/**
 * Returns the characters that a range was copied from, last first. Returned text stands right after
 * its old place. Null if the sources are not found there.
 */
function sourcesOf(
  { revision, at, length }: Copies,
  { textblocks, placeAt }: Script,
  means: Return["means"],
): number[] | null {
  const found: number[] = [];
  const letterOf = (place: number) => {
    const { textblock, offset } = placeAt(place);
    return textblocks[textblock]?.text[offset];
  };
  let passed = 0;
  for (
    let place = at - 1;
    place >= 0 && found.length < length && passed < mostPassed + length;
    place -= 1
  ) {
    const { textblock, offset } = placeAt(place);
    const own = textblocks[textblock];
    const [born, died] = [own?.born[offset] ?? 0, own?.died[offset] ?? 0];
    if (born >= revision || died > revision) continue;
    if (means(born, died) && own?.text[offset] === letterOf(at + length - 1 - found.length))
      found.push(place);
    else passed += 1;
  }
  return found.length === length ? found : null;
}

/**
 * The letters that an event may have restored, wherever they stood. Text that returns into a
 * restored block need not stand after its old place.
 */
class GoneLetters {
  private readonly meant = new Map<string, number[]>();
  /**
   * Letters that another person wrote into deleted text, before receiving the deletion. They return
   * with that text.
   */
  private readonly others = new Map<string, number[]>();
  private readonly script: Script;
  private readonly event: Return;
  private isRead = false;

  constructor(script: Script, event: Return) {
    this.script = script;
    this.event = event;
  }

  private read(): void {
    const { script } = this;
    const { first, means } = this.event;
    this.isRead = true;
    for (const { start, text, born, died } of script.textblocks) {
      for (let offset = 0; offset < text.length; offset += 1) {
        const [came, went] = [born[offset] ?? 0, died[offset] ?? never];
        if (came >= first || went > first) continue;
        const letter = text[offset] ?? "";
        const places = means(came, went) ? this.meant : this.others;
        const own = places.get(letter);
        if (own) own.push(start + offset);
        else places.set(letter, [start + offset]);
      }
    }
  }

  /** Returns the source of each character of a range in order, with null for no source. */
  sourcesOf({ at, length }: Copies): (number | null)[] {
    if (!this.isRead) this.read();
    const found: (number | null)[] = [];
    let next = -1;
    for (let place = at; place < at + length; place += 1) {
      const { textblock, offset } = this.script.placeAt(place);
      const letter = this.script.textblocks[textblock]?.text[offset] ?? "";
      const own = this.meant.get(letter) ?? this.others.get(letter) ?? [];
      const source = own.includes(next) ? next : nearest(own, next === -1 ? place : next);
      found.push(source);
      if (source !== null) next = source + 1;
    }
    return found;
  }
}

/** Returns the value nearest to `at`, or null if there are no values. */
function nearest(ascending: readonly number[], at: number): number | null {
  const before = ascending.findLast((place) => place < at) ?? null;
  const after = ascending.find((place) => place >= at) ?? null;
  if (before === null || after === null) return before ?? after;
  return at - before < after - at ? before : after;
}

/**
 * Returns the deleted text that each restore or revert wrote again, with the source of each
 * character. Earliest first.
 */
export function returnedRuns(timeline: Timeline, script: Script): RewrittenRun[] {
  const returns = returnsOf(timeline);
  if (returns.length === 0) return [];
  const isReturn = new Uint8Array(timeline.length);
  for (const { first, last } of returns) isReturn.fill(1, first, last + 1);
  const found: RewrittenRun[] = [];
  const kept = new KeptLetters(timeline);
  const byEvent = new Map<Return | undefined, Copies[]>();
  for (const copies of copiesOf(timeline, isReturn)) {
    const { revision } = copies;
    const event = returns.find(({ first, last }) => first <= revision && last >= revision);
    const own = byEvent.get(event);
    if (own) own.push(copies);
    else byEvent.set(event, [copies]);
  }
  for (const [number, event] of returns.entries()) {
    const all = byEvent.get(event) ?? [];
    // Corrections that make the text valid for the editor are in a later revision of the event.
    const own = all.filter(({ revision }) => revision === event.first);
    const exact = kept.sourcesOf(event, returns.slice(0, number), own);
    const candidates = new GoneLetters(script, event);
    let passed = 0;
    for (const copies of all) {
      const isOwn = copies.revision === event.first;
      const sources =
        (isOwn ? exact?.slice(passed, passed + copies.length) : null) ??
        sourcesOf(copies, script, event.means)?.toReversed() ??
        candidates.sourcesOf(copies);
      if (isOwn) passed += copies.length;
      let open: RewrittenRun | null = null;
      for (const [index, from] of sources.entries()) {
        if (from !== null) kept.add(from, copies.at + index);
        if (from === null) open = null;
        else if (open && open.from + open.length === from) open.length += 1;
        else
          found.push(
            (open = { revision: copies.revision, from, to: copies.at + index, length: 1 }),
          );
      }
    }
  }
  return found.sort((one, other) => one.revision - other.revision);
}
