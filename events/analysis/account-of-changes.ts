import { isAtOnce } from "./attribution";
import { contentOriginOf } from "@/events/analysis/lineage/copy-in";
import type { CopyIn, ContentOrigin } from "@/events/analysis/lineage/copy-in";
import { blockHeirs } from "@/events/analysis/lineage/block-heirs";
import { countWords } from "@/events/content/word-count";
import { never } from "@/events/crdt/updates/lifespans";
import { rewritingOf } from "./rewriting";
import type { Rewriting } from "./rewriting";
import { scriptOf, standsAt } from "@/events/history/timeline/script";
import type { Place, TextblockHistory } from "@/events/history/timeline/script";
import { aboveHeadings, sectionsOf } from "@/events/history/timeline/sections";
import type { Timeline } from "@/events/history/timeline/timeline";

/**
 * One author's changes under one heading in one session: the words that they inserted and did not
 * delete again in that session, and the earlier words that they deleted.
 */
export type AccountEntry = {
  /** An index into the timing map's sessions. */
  session: number;
  author: number;
  /** The heading's words, or null if there is no heading above the changes. */
  section: string | null;
  /** Whether a change is above the first heading of a text that has headings. */
  isAboveHeadings: boolean;
  /** Numbers of words. `atOnce` counts the added words that single large edits inserted. */
  added: number;
  removed: number;
  atOnce: number;
  /** The added and the removed words, one text for each stretch. */
  addedText: string[];
  removedText: string[];
  /** The first and the last revision of the changes. */
  from: number;
  to: number;
};

/** The revisions after `after`, up to and including `to`. */
export type Stretch = { after: number; to: number };

type ChangeKind = {
  kind: "added" | "removed";
  session: number;
  author: number;
  revision: number;
  atOnce: boolean;
};
/** Letters that stood side by side. `first` and `revision`: their earliest and latest revision. */
type Run = ChangeKind & { text: string; first: number; stoodAt: number; block: number };

class Ledger {
  readonly entries = new Map<string, AccountEntry>();
  private readonly runs = new Map<number, Run>();
  private readonly timeline: Timeline;
  private readonly stretch: Stretch;
  private readonly contentOrigin: ContentOrigin;
  private readonly rewriting: Rewriting;
  private readonly sectionOf: ReturnType<typeof sectionsOf>;
  private readonly isAboveHeadings: ReturnType<typeof aboveHeadings>;
  private readonly heirOf: ReturnType<typeof blockHeirs>;

  constructor(timeline: Timeline, stretch: Stretch, contentOrigin: ContentOrigin) {
    this.timeline = timeline;
    this.stretch = stretch;
    this.contentOrigin = contentOrigin;
    this.rewriting = rewritingOf(timeline);
    this.sectionOf = sectionsOf(timeline);
    this.isAboveHeadings = aboveHeadings(timeline);
    this.heirOf = blockHeirs(timeline);
  }

  take(textblock: TextblockHistory, index: number): void {
    const { born: births, died: deaths, copied } = this.rewriting.livesOf(textblock);
    for (let offset = 0; offset < textblock.text.length; offset += 1) {
      const [born, died] = [births[offset] ?? 0, deaths[offset] ?? never];
      const isCopy = copied?.[offset] === 1;
      const isCopyIn =
        (isCopy
          ? this.rewriting.importedAt({ textblock: index, offset }, this.contentOrigin)
          : this.contentOrigin.of(textblock, offset)) !== null;
      const added = isCopyIn ? null : this.addedBy(born, this.deletedAt(textblock, offset));
      const removed = died === textblock.died[offset] ? this.removedBy(born, died, isCopyIn) : null;
      // Words are counted in contiguous text, so any other character in between ends a run.
      const addedKey = added ? keyOf(added) : -1;
      const removedKey = removed ? keyOf(removed) : -1;
      for (const [key, run] of this.runs) {
        if (key !== addedKey && key !== removedKey && this.stood(textblock, offset, run, isCopy))
          this.close(key, run);
      }
      // Rewritten text was added where it was first written, and removed where it last stood.
      if (added && !isCopy) this.write(added, { textblock: index, offset });
      if (removed) this.write(removed, { textblock: index, offset });
    }
    for (const [key, run] of this.runs) this.close(key, run);
  }

  /**
   * Whether a letter stood beside a run's letters. Added text is counted at the place where it was
   * first written. A letter that was moved since then therefore counts at its first place. A copy
   * counts only if restores alone removed and returned it there.
   */
  private stood(
    textblock: TextblockHistory,
    offset: number,
    { kind, stoodAt }: Run,
    isCopy: boolean,
  ): boolean {
    if (standsAt(textblock, offset, stoodAt)) return true;
    if (kind === "removed") return false;
    const { rewriting } = this;
    const place = rewriting.stoodAt(textblock, offset, stoodAt);
    if (!place || !isCopy) return place !== null;
    const stood = (scriptOf(this.timeline).textblocks[place.textblock]?.start ?? 0) + place.offset;
    return rewriting.letters.standOf(stood) === rewriting.letters.standOf(textblock.start + offset);
  }

  private addedBy(born: number, died: number): ChangeKind | null {
    if (born <= this.stretch.after || born > this.stretch.to) return null;
    if (this.isTakenBack(born, died)) return null;
    const session = this.timeline.timingMap.sessionOf(born);
    return {
      kind: "added",
      session,
      author: this.timeline.authorOf(born),
      revision: born,
      atOnce: isAtOnce(this.timeline, born),
    };
  }

  /** Returns the revision at which a person finally deleted a letter, or `never`. */
  private deletedAt(textblock: TextblockHistory, offset: number): number {
    const end = this.rewriting.endOf(textblock, offset, this.stretch.to);
    return end?.byHand === true ? end.revision : never;
  }

  private removedBy(born: number, died: number, isCopyIn: boolean): ChangeKind | null {
    // Restores, reverts and merges move words but do not delete any.
    if (died === never || this.rewriting.isMove(died)) return null;
    if (died <= this.stretch.after || died > this.stretch.to) return null;
    if (!isCopyIn && born > this.stretch.after && this.isTakenBack(born, died)) return null;
    const session = this.timeline.timingMap.sessionOf(died);
    return {
      kind: "removed",
      session,
      author: this.timeline.authorOf(died),
      revision: died,
      atOnce: false,
    };
  }

  private endOf(session: number): number {
    return Math.min(this.timeline.timingMap.sessions[session]?.to ?? never, this.stretch.to);
  }

  /**
   * Whether a person deleted their own text in the session in which they wrote it, for example a
   * typo.
   */
  private isTakenBack(born: number, died: number): boolean {
    const { timingMap } = this.timeline;
    if (died > this.endOf(timingMap.sessionOf(born))) return false;
    return this.timeline.authorOf(born) === this.timeline.authorOf(died);
  }

  private write(change: ChangeKind, place: Place): void {
    const key = keyOf(change);
    const { textblocks } = scriptOf(this.timeline);
    const letter = textblocks[place.textblock]?.text[place.offset] ?? "";
    const run = this.runs.get(key);
    if (run) {
      run.text += letter;
      run.revision = Math.max(run.revision, change.revision);
      run.first = Math.min(run.first, change.revision);
      return;
    }
    const stoodAt = change.kind === "added" ? this.endOf(change.session) : change.revision - 1;
    const block = this.blockOf(place, stoodAt);
    this.runs.set(key, { ...change, text: letter, first: change.revision, stoodAt, block });
  }

  /**
   * Returns a letter's block at a revision, or its last block before. An edit or a restore may have
   * copied the letter to another block.
   */
  private blockOf({ textblock, offset }: Place, at: number): number {
    const { textblocks } = scriptOf(this.timeline);
    const own = textblocks[textblock];
    if (!own) return 0;
    const end = this.rewriting.endOf(own, offset, at);
    const stood = this.rewriting.stoodAt(own, offset, end ? end.revision - 1 : at);
    return this.heirOf((stood ? textblocks[stood.textblock] : own)?.block ?? own.block, at);
  }

  private close(
    key: number,
    { kind, session, author, first, revision, atOnce, text, stoodAt, block }: Run,
  ): void {
    this.runs.delete(key);
    const words = countWords(text);
    if (words === 0) return;
    const section = this.sectionOf(block, stoodAt);
    const name = JSON.stringify([session, author, section]);
    const entry = this.entries.get(name) ?? {
      session,
      author,
      section,
      isAboveHeadings: false,
      added: 0,
      removed: 0,
      atOnce: 0,
      addedText: [],
      removedText: [],
      from: first,
      to: revision,
    };
    this.entries.set(name, entry);
    entry.isAboveHeadings ||= section === null && this.isAboveHeadings(block, stoodAt);
    entry.from = Math.min(entry.from, first);
    entry.to = Math.max(entry.to, revision);
    entry[kind] += words;
    if (atOnce) entry.atOnce += words;
    (kind === "added" ? entry.addedText : entry.removedText).push(text.trim());
  }
}

/** Returns a number for each group of changes. A string key would be built for every letter. */
function keyOf({ kind, session, author, atOnce }: ChangeKind): number {
  return ((session * 2 ** 16 + author) * 2 + Number(atOnce)) * 2 + Number(kind === "added");
}

/** Counts the words of a copy-in that stood in the text right after the copy-in. */
export function importedWordCount(
  timeline: Timeline,
  { from, to }: Pick<CopyIn, "from" | "to">,
): number {
  const rewriting = rewritingOf(timeline);
  return scriptOf(timeline).textblocks.reduce((sum, textblock) => {
    const letters = Array.from(rewriting.livesOf(textblock).born, (born, offset) =>
      born >= from && standsAt(textblock, offset, to) ? (textblock.text[offset] ?? "") : " ",
    );
    return sum + countWords(letters.join(""));
  }, 0);
}

/**
 * Returns the number of words that each author added and removed under each heading, in order of
 * the first revision. Imported content has no author in this document and is not counted as added.
 */
export function accountOfChanges(
  timeline: Timeline,
  stretch: Stretch,
  contentOrigin = contentOriginOf(timeline),
): AccountEntry[] {
  const ledger = new Ledger(timeline, stretch, contentOrigin);
  for (const [index, textblock] of scriptOf(timeline).textblocks.entries())
    ledger.take(textblock, index);
  return [...ledger.entries.values()].sort(
    (a, b) => a.session - b.session || a.from - b.from || a.to - b.to,
  );
}
