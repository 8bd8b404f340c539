"use client";

import { ArchiveRestore, History } from "lucide-react";
import { useDeferredValue } from "react";
import type { Found } from "@/events/analysis/deleted-text-search";
import { deletedPassageOf } from "@/events/analysis/deleted-passage";
import type { DeletedPassage } from "@/events/analysis/deleted-passage";
import { rewritingOf } from "@/events/analysis/rewriting";
import { scriptOf, textAt } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";
import { firstName } from "@/events/read-models/person";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";
import { useLongList } from "@/components/ui/screen/long-list";
import { cameWords, writerOf } from "../model/imported-content-words";
import { authorOf } from "../model/analysis-model";
import type { AnalysisViewModel } from "../model/analysis-model";
import { setAnalysis, useAnalysis } from "../model/analysis-state";
import { quoted, spanWords } from "../model/analysis-words";
import { SourceLink } from "./source-link";
import { useAnalysisQuery } from "../model/use-analysis-query";
import styles from "../analysis.module.css";

type Props = {
  viewModel: AnalysisViewModel;
  /** Asks to restore a deleted passage. Null if the reader may not write. */
  onBringBack: ((timeline: Timeline, deleted: DeletedPassage) => void) | null;
  busy: boolean;
};

const around = 36;
const atATime = 30;
const none: readonly Found[] = [];

/**
 * Searches all words that ever stood in the document. Shows their authors, and when and by whom
 * they were deleted.
 */
export function SearchView({ viewModel: newest, onBringBack, busy }: Props) {
  const { words } = useAnalysis();
  const deferredWords = useDeferredValue(words);
  const answered = useAnalysisQuery(
    newest,
    deferredWords.trim().length < 2 ? null : { kind: "search", words: deferredWords },
  );
  const viewModel = answered?.viewModel ?? newest;
  const found = answered?.answer;
  const gone = found?.filter((each) => each.gone).length ?? 0;
  const here = found?.filter(({ until }) => until === null).length ?? 0;
  return (
    <section aria-label="Search history">
      <form role="search" className={styles.form} onSubmit={(event) => event.preventDefault()}>
        <Field
          label="Search history"
          type="search"
          value={words}
          help="Finds text that is in the document now or was deleted from it."
          onChange={(event) => setAnalysis({ words: event.target.value })}
        />
      </form>
      <p role="status" className={styles.hint}>
        {found &&
          (found.length === 0
            ? "No results"
            : `${gone} deleted, ${here} in the text now` +
              (found.length > gone + here ? `, ${found.length - gone - here} split up` : "."))}
      </p>
      <Results
        key={deferredWords}
        viewModel={viewModel}
        found={found ?? none}
        busy={busy}
        onBringBack={onBringBack}
      />
    </section>
  );
}

/** Lists the results. A new query starts with the first rows again. */
function Results({ found, ...rest }: Props & { found: readonly Found[] }) {
  const { shown, showMore, list } = useLongList(found, { atATime });
  return (
    <>
      <ul ref={list} className={styles.list} aria-label="Found">
        {shown.map((each) => (
          <Result key={`${each.textblock} ${each.start}`} {...rest} found={each} />
        ))}
      </ul>
      {showMore && (
        <Button look="edge" onClick={showMore}>
          Show more
        </Button>
      )}
    </>
  );
}

function Result({ viewModel, found, busy, onBringBack }: Props & { found: Found }) {
  const { timeline, onGo, contentOrigin } = viewModel;
  const { since, until, textblock, start, end } = found;
  const newest = timeline.timeOf(timeline.length - 1);
  const deleted = deletedPassageOf(timeline, found);
  // The last revision with the whole passage, which may have been deleted letter by letter.
  const stood = deleted?.at ?? (until ?? timeline.length) - 1;
  const text = scriptOf(timeline).textblocks[textblock];
  if (!text) return null;
  const imported = rewritingOf(timeline).importedAt({ textblock, offset: start }, contentOrigin);
  const writer = imported
    ? `${writerOf(viewModel, imported).name}; ${cameWords(viewModel, imported.copyIn)}`
    : `written by ${firstName(authorOf(viewModel, timeline.authorOf(since)))}`;
  const context = !deleted || deleted.text.length > 400;
  const before = context ? textAt(text, stood, 0, start).slice(-around) : "";
  const after = context ? textAt(text, stood, end + 1).slice(0, around) : "";
  return (
    <li className={styles.row}>
      <span className={styles.sentence}>
        {until === null ? (
          <>
            <b>In the text now</b>, {writer},{" "}
            {spanWords(timeline.timeOf(since), timeline.timeOf(since), newest)}
          </>
        ) : (
          <>
            <b>
              {deleted ? "Deleted" : "Split up"} by{" "}
              {firstName(authorOf(viewModel, timeline.authorOf(until)))}
            </b>
            , {spanWords(timeline.timeOf(until), timeline.timeOf(until), newest)}; {writer},{" "}
            {spanWords(timeline.timeOf(since), timeline.timeOf(since), newest)}
          </>
        )}
        <span className={styles.words}>
          {context ? (
            <>
              {before !== "" && "… "}
              {before}
              {deleted ? <del>{found.text}</del> : <mark>{found.text}</mark>}
              {after}
              {after !== "" && " …"}
            </>
          ) : (
            <del>{quoted(deleted.text)}</del>
          )}
        </span>
        <span className={styles.actions}>
          <Button look="edge" onClick={() => onGo(stood)}>
            <Icon of={History} size={14} />
            {until === null ? "Go to the text" : "Go to when it stood"}
          </Button>
          {imported && <SourceLink viewModel={viewModel} copyIn={imported.copyIn} />}
          {deleted && onBringBack && (
            <Button look="edge" busy={busy} onClick={() => onBringBack(timeline, deleted)}>
              <Icon of={ArchiveRestore} size={14} />
              Bring it back
            </Button>
          )}
        </span>
      </span>
    </li>
  );
}
