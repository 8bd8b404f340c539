import { accountOfChanges } from "@/events/analysis/account-of-changes";
import { passagesAt } from "@/events/analysis/attribution";
import { linesOfSession } from "@/events/analysis/change-lines/change-lines";
import { searchThroughTime } from "@/events/analysis/deleted-text-search";
import { searchEntries } from "@/events/analysis/search-index/search-entries";
import { lifeOfPassage } from "@/events/analysis/passage";
import { ownWriting } from "@/events/analysis/own-writing";
import { statisticsOf } from "@/events/analysis/statistics";
import { pageAt } from "@/events/history/timeline/document-text";
import { scriptOf } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";
import { writers } from "../restored-history.fixture";

/** Returns the current text. */
function text(timeline: Timeline): string {
  return pageAt(timeline, timeline.length - 1).text;
}

/** Returns the author, writing time and restore time of every standing letter. */
function authorship(timeline: Timeline) {
  return passagesAt(timeline, timeline.length - 1).flatMap(({ text: words, author, returned }) =>
    Array.from(words, (letter) => [letter, timeline.authors[author], returned]),
  );
}

/** Returns how long each author wrote, and their share of the text. */
function shares(timeline: Timeline) {
  const { authors, sessions } = statisticsOf(timeline, timeline.length - 1);
  return {
    // A person who only restored has written no text.
    authors: authors
      .map(({ author, active, share }) => ({ author, active, share }))
      .filter(({ active, share }) => active + share > 0),
    sessions: sessions.map(({ active }) => active).filter((active) => active > 0),
  };
}

/** Returns the lines about writing in Activity and in the list of unread changes. */
function lines(timeline: Timeline) {
  const marked = new Set(timeline.marks.map(({ version }) => version));
  return timeline.timingMap.sessions.flatMap((_, session) =>
    linesOfSession(timeline, session).filter(({ to }) => !marked.has(to)),
  );
}

/**
 * Returns the history of the whole text as one passage, up to the last writing or up to the
 * restores of a version.
 */
function life(timeline: Timeline, version: number) {
  const { textblocks } = scriptOf(timeline);
  const last = textblocks.findLastIndex((each) => each.text !== "");
  const end = { textblock: last, offset: (textblocks[last]?.text.length ?? 0) - 1 };
  if (last < 0 || end.offset < 0) return [];
  return lifeOfPassage(timeline, { start: { textblock: 0, offset: 0 }, end })
    .filter(({ from, restored }) => restored === null || timeline.revision(from).version <= version)
    .map(({ from, to, author, added, removed, restored }) => ({
      from,
      to,
      author,
      added,
      removed,
      restored: restored !== null,
    }));
}

/** Returns the passages in each writer's data export: their text, its time, and its deletion. */
function own(timeline: Timeline) {
  return writers.map((writer) =>
    ownWriting(timeline, writer).map(({ paragraph: _, ...told }) => told),
  );
}

/** Returns the search results for each letter: whether it stands, and who deleted it when. */
function found(timeline: Timeline) {
  const letters = new Set(scriptOf(timeline).textblocks.flatMap((each) => [...each.text]));
  return [...letters].toSorted().map((letter) =>
    searchThroughTime(timeline, letter).map(({ since, until, gone }) => ({
      letter,
      since,
      stands: until === null,
      deleted: gone ? until : null,
    })),
  );
}

/**
 * Returns the summary of changes: who added and removed which words under which heading, stretch by
 * stretch.
 */
function account(timeline: Timeline) {
  return accountOfChanges(timeline, { after: -1, to: timeline.length - 1 }).map(
    ({ author, section, isAboveHeadings, from, added, removed, addedText, removedText }) => ({
      author: timeline.authors[author],
      section,
      isAboveHeadings,
      from,
      added,
      removed,
      addedText,
      removedText,
    }),
  );
}

/**
 * Returns the text entries of the search index: standing and deleted text, who wrote it when, and
 * when it was deleted.
 */
function entries(timeline: Timeline) {
  return searchEntries(timeline)
    .filter(({ class: kind }) => kind === "n" || kind === "g")
    .map(({ class: kind, text: words, authors, writtenAt, toTime, endedBy }) =>
      JSON.stringify({ kind, words, authors, writtenAt, toTime, endedBy }),
    )
    .toSorted();
}

/** All statements of the product about a text's authors and fate. */
export const statements = { text, authorship, shares, lines, life, own, found };

/**
 * All statements, with the summary of changes and the search index, which paragraphs of thousands
 * of edits may still change.
 */
export const allStatements = { ...statements, account, entries };
