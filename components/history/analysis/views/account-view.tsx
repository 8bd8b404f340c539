"use client";

import { useMemo } from "react";
import { importedWordCount } from "@/events/analysis/account-of-changes";
import type { AccountEntry } from "@/events/analysis/account-of-changes";
import type { CopyIn } from "@/events/analysis/lineage/copy-in";
import { bodyOf } from "@/events/core/recorded-body";
import type { Mark } from "@/events/history/timeline/timeline";
import { firstComments } from "@/machines/past-threads";
import { iconWords } from "@/components/history/words/icon-words";
import { revisionKindWords } from "@/components/history/words/revision-words";
import { firstName } from "@/events/read-models/person";
import { Avatar } from "@/components/ui/pictures/avatar";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { copyInWords, writtenWords } from "../model/imported-content-words";
import { authorOf } from "../model/analysis-model";
import type { AnalysisViewModel } from "../model/analysis-model";
import { setAnalysis } from "../model/analysis-state";
import { accountWords, minutesWords, quoted, spanWords } from "../model/analysis-words";
import { SourceLink } from "./source-link";
import { useAnalysisQuery } from "../model/use-analysis-query";
import { usePrinting } from "../model/use-printing";
import styles from "../analysis.module.css";

type Item = {
  key: string;
  from: number;
  to: number;
  author: number;
  words: string;
  copyIn: CopyIn | null;
};

function itemOf(entry: AccountEntry): Item {
  return {
    key: `${entry.session} ${entry.author} ${entry.section}`,
    from: entry.from,
    to: entry.to,
    author: entry.author,
    words: accountWords(entry),
    copyIn: null,
  };
}

function entriesOf(
  viewModel: AnalysisViewModel,
  first: ReadonlyMap<string, number>,
  mark: Mark,
): Item[] {
  const { id, type, revision, subject } = mark;
  const { timeline, contentOrigin } = viewModel;
  const begins = (type === "thread.opened" ? first.get(subject.id) : undefined) ?? revision;
  const copyIn = contentOrigin.copyInAt(revision);
  if (copyIn)
    return [
      {
        key: id,
        from: revision,
        to: revision,
        author: copyIn.by,
        words: copyInWords(viewModel, copyIn, importedWordCount(timeline, copyIn)),
        copyIn,
      },
    ];
  const icon = bodyOf(mark, "document.icon_set");
  const words =
    type === "thread.opened"
      ? openedWords(bodyOf(mark, "thread.opened")?.quote)
      : icon
        ? iconWords(icon.emoji)
        : revisionKindWords({ type });
  const title = type === "document.renamed" ? ` “${timeline.titleAt(revision)}”` : "";
  return words === null
    ? []
    : [
        {
          key: id,
          from: begins,
          to: begins,
          author: timeline.authorOf(revision),
          words: `${words}${title}.`,
          copyIn: null,
        },
      ];
}

/**
 * Describes the opening of a thread. An opening appends two events, the second of which is the
 * first comment. Both count as one comment.
 */
function openedWords(quote = ""): string {
  return quote.trim() === "" ? "commented" : `commented on ${quoted(quote)}`;
}

function isFirstComment({ type, revision }: Mark, index: number, marks: readonly Mark[]): boolean {
  const before = marks[index - 1];
  return (
    type === "comment.added" && before?.type === "thread.opened" && before.revision === revision - 1
  );
}

/** Describes the history in sentences by session, from after version `since` or from the start. */
export function AccountView({
  viewModel: newest,
  since,
}: {
  viewModel: AnalysisViewModel;
  since: number | null;
}) {
  const { index, onGo } = newest;
  const after = since === null ? -1 : newest.timeline.ofVersion(since);
  const to = newest.timeline.length - 1;
  const account = useAnalysisQuery(newest, { kind: "account", stretch: { after, to } });
  const viewModel = account?.viewModel ?? newest;
  const entries = account?.answer;
  const { timeline, contentOrigin } = viewModel;
  const end = timeline.timeOf(timeline.length - 1);
  const sessions = useMemo(() => {
    if (!entries) return null;
    const first = firstComments(timeline.marks);
    return timeline.timingMap.sessions.flatMap(({ from, to }, session) => {
      const items = [
        ...entries.filter((entry) => entry.session === session).map(itemOf),
        ...timeline.marks
          .filter(
            (mark, nth, all) =>
              mark.revision > after &&
              mark.revision >= from &&
              mark.revision <= to &&
              !isFirstComment(mark, nth, all),
          )
          .flatMap((mark) => entriesOf(viewModel, first, mark)),
      ].sort((a, b) => a.from - b.from);
      return items.length === 0 ? [] : [{ from: Math.max(from, after + 1), to, items }];
    });
  }, [viewModel, timeline, entries, after]);
  usePrinting(sessions !== null);
  if (!sessions) return <Skeleton lines={5} label="Reading the history" />;
  return (
    <section aria-label="Summary of changes">
      {since !== null && (
        <p className={styles.since}>
          Since you were last here.
          <Button look="edge" onClick={() => setAnalysis({ since: null })}>
            Show everything
          </Button>
        </p>
      )}
      {sessions.length === 0 && <p className={styles.hint}>Nobody has written anything yet.</p>}
      {sessions.map(({ from, to, items }) => (
        <div key={from}>
          <h2>{spanWords(timeline.timeOf(from), timeline.timeOf(to), end)}</h2>
          <ul className={styles.list}>
            {items.map((item) => {
              const person = authorOf(viewModel, item.author);
              return (
                <li key={item.key}>
                  <button
                    type="button"
                    className={styles.row}
                    aria-current={item.to === index || undefined}
                    onClick={() => onGo(item.to)}
                  >
                    <Avatar name={person.name} color={person.color} size="mini" />
                    <span className={styles.sentence}>
                      <b>{firstName(person)}</b> {item.words}
                    </span>
                    <time dateTime={new Date(timeline.timeOf(item.to)).toISOString()}>
                      {minutesWords(timeline.timeOf(item.from), timeline.timeOf(item.to))}
                    </time>
                  </button>
                  {item.copyIn && (
                    <p className={styles.source}>
                      {writtenWords(viewModel, contentOrigin.writersOf(item.copyIn))}{" "}
                      <SourceLink viewModel={viewModel} copyIn={item.copyIn} />
                    </p>
                  )}
                </li>
              );
            })}
          </ul>
        </div>
      ))}
    </section>
  );
}
