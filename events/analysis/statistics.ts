import { accountOfChanges } from "./account-of-changes";
import type { AccountEntry } from "./account-of-changes";
import { sharesAt } from "./attribution";
import { rewritingOf } from "./rewriting";
import type { ImportedPassage, ContentOrigin } from "@/events/analysis/lineage/copy-in";
import type { Timeline } from "@/events/history/timeline/timeline";

/** One author's work: milliseconds of activity, and words counted like the account of changes. */
export type Work = {
  author: number;
  active: number;
  added: number;
  removed: number;
  atOnce: number;
};
export type AuthorStatistics = Work & {
  /** The share, 0 to 1, of the standing characters that this author wrote here. */
  share: number;
};
export type SessionStatistics = { from: number; to: number; active: number; work: Work[] };
/** The share, 0 to 1, of the standing characters that were imported from one writer. */
export type ImportedShare = { imported: ImportedPassage; share: number };
export type Statistics = {
  authors: AuthorStatistics[];
  sessions: SessionStatistics[];
  imported: ImportedShare[];
};

/** A longer pause, in milliseconds, between two edits of one author is not activity. */
const longestThought = 60_000;

/** Counts each author's work up to a revision, in total and by session. It judges nothing. */
export function statisticsOf(
  timeline: Timeline,
  at: number,
  contentOrigin?: ContentOrigin,
): Statistics {
  const entries = accountOfChanges(timeline, { after: -1, to: at }, contentOrigin);
  const shares = sharesAt(timeline, at, contentOrigin);
  const standing = [...shares.written, ...shares.imported.values()].reduce(
    (sum, share) => sum + share,
    0,
  );
  const active = activityOf(timeline, at);
  const bySession = new Map<number, Map<number, AccountEntry[]>>();
  const byAuthor = new Map<number, AccountEntry[]>();
  for (const entry of entries) {
    const there = bySession.get(entry.session) ?? new Map<number, AccountEntry[]>();
    bySession.set(entry.session, there);
    for (const authors of [there, byAuthor]) {
      const own = authors.get(entry.author);
      if (own) own.push(entry);
      else authors.set(entry.author, [entry]);
    }
  }
  const sessions = timeline.timingMap.sessions.flatMap(({ from, to }, session) => {
    if (from > at) return [];
    const there = bySession.get(session);
    const work = timeline.authors.flatMap((_, author) => {
      const own = there?.get(author) ?? [];
      const time = active[session]?.[author] ?? 0;
      return own.length === 0 && time === 0 ? [] : [{ author, active: time, ...sumOf(own) }];
    });
    return [
      {
        from,
        to: Math.min(to, at),
        active: work.reduce((sum, each) => sum + each.active, 0),
        work,
      },
    ];
  });
  const authors = timeline.authors.map((_, author) => ({
    author,
    active: active.reduce((sum, session) => sum + (session[author] ?? 0), 0),
    ...sumOf(byAuthor.get(author) ?? []),
    share: standing === 0 ? 0 : (shares.written[author] ?? 0) / standing,
  }));
  const imported = [...shares.imported].map(([each, count]) => ({
    imported: each,
    share: count / standing,
  }));
  return { authors, sessions, imported };
}

function sumOf(entries: readonly { added: number; removed: number; atOnce: number }[]) {
  const sum = { added: 0, removed: 0, atOnce: 0 };
  for (const { added, removed, atOnce } of entries) {
    sum.added += added;
    sum.removed += removed;
    sum.atOnce += atOnce;
  }
  return sum;
}

/**
 * Returns the milliseconds of activity by session and author: the sum of the pauses of up to a
 * minute between an author's own revisions.
 */
function activityOf(timeline: Timeline, at: number): number[][] {
  const rewriting = rewritingOf(timeline);
  return timeline.timingMap.sessions.map(({ from, to }) => {
    const last = new Map<number, number>();
    const active = timeline.authors.map(() => 0);
    for (let index = from; index <= Math.min(to, at); index += 1) {
      // Restoring does not count as writing.
      if (rewriting.isMove(index)) continue;
      const author = timeline.authorOf(index);
      const time = timeline.timeOf(index);
      const pause = time - (last.get(author) ?? time);
      if (pause <= longestThought) active[author] = (active[author] ?? 0) + pause;
      last.set(author, time);
    }
    return active;
  });
}
