"use client";

import { useDeferredValue, useState } from "react";
import type { Passage } from "@/events/analysis/attribution";
import type { ImportedShare, Work } from "@/events/analysis/statistics";
import { useMedia } from "@/components/ui/screen/use-media";
import { firstName } from "@/events/read-models/person";
import { Avatar } from "@/components/ui/pictures/avatar";
import { Button } from "@/components/ui/button";
import { useMoreRows } from "@/components/ui/screen/long-list";
import { Skeleton } from "@/components/ui/skeleton";
import { classNames } from "@/components/ui/class-names";
import { personClass } from "@/components/ui/pictures/palette";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import {
  basisWords,
  cameWords,
  passageChangeKind,
  passageWriter,
  writerOf,
} from "../model/imported-content-words";
import { highlight } from "../highlights/highlight";
import { authorOf } from "../model/analysis-model";
import type { AnalysisViewModel } from "../model/analysis-model";
import { activeWords, quoted, readersWords, shareWords, spanWords } from "../model/analysis-words";
import { SourceLink } from "./source-link";
import { caretKey } from "../highlights/use-pointed";
import { useAnalysis } from "../model/analysis-state";
import { useAnalysisQuery } from "../model/use-analysis-query";
import { usePrinting } from "../model/use-printing";
import styles from "../analysis.module.css";

type Props = { viewModel: AnalysisViewModel; tinted: boolean; onTinted: (tinted: boolean) => void };

const atATime = 60;

/** Shows each author's share and changes by session, and every passage with author and time. */
export function AuthorsView({ viewModel: newest, tinted, onTinted }: Props) {
  const { history } = useWorkspace("history");
  const at = useDeferredValue(newest.index);
  // A touch screen has neither keys nor a pointer that hovers.
  const keyed = useMedia("(hover: hover)");
  const statistics = useAnalysisQuery(newest, { kind: "statistics", at });
  if (!statistics) return <Skeleton lines={5} label="Counting" />;
  const { viewModel, answer } = statistics;
  const { timeline } = viewModel;
  const { authors, sessions, imported } = answer;
  const end = timeline.timeOf(timeline.length - 1);
  return (
    <section aria-label="Authors">
      <label className={styles.switch}>
        <input
          type="checkbox"
          checked={tinted}
          onChange={(event) => onTinted(event.target.checked)}
        />
        Show it in the text
      </label>
      {tinted && keyed && (
        <p className={styles.hint}>
          Point at words to see who wrote them, or press {caretKey} at the caret.
        </p>
      )}
      <div className={styles.bar} aria-hidden>
        {authors.map(({ author, share }) => (
          <span
            key={author}
            className={personClass(authorOf(viewModel, author).color)}
            style={{
              flexGrow: Math.round(share * 1000),
              flexBasis: 0,
              display: share === 0 ? "none" : undefined,
            }}
          />
        ))}
        {imported.map(({ imported: each, share }, index) => (
          <span
            key={`carried ${index}`}
            className={personClass(writerOf(viewModel, each).color)}
            style={{ flexGrow: Math.round(share * 1000), flexBasis: 0 }}
          />
        ))}
      </div>
      <WorkTable
        viewModel={viewModel}
        caption="Everyone who wrote here"
        work={authors}
        shares={authors.map(({ share }) => share)}
      />
      <p className={styles.hint}>
        {readersWords(history)} “Inserted” counts single edits of 32 letters or more, such as a
        paste. Minutes leave out pauses of more than a minute.
      </p>
      <Elsewhere viewModel={viewModel} shares={imported} />
      <Passages viewModel={newest} at={at} />
      {sessions.length > 1 && <h2>By session</h2>}
      {sessions.length > 1 &&
        sessions.map(({ from, to, work }) => (
          <WorkTable
            key={from}
            viewModel={viewModel}
            caption={spanWords(timeline.timeOf(from), timeline.timeOf(to), end)}
            work={work}
          />
        ))}
    </section>
  );
}

type TableProps = {
  viewModel: AnalysisViewModel;
  caption: string;
  work: readonly Work[];
  shares?: readonly number[];
};

function WorkTable({ viewModel, caption, work, shares }: TableProps) {
  return (
    <table className={styles.table}>
      <caption className={shares ? "sr" : styles.caption}>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="sr">Author</span>
          </th>
          {shares && <th scope="col">Text</th>}
          <th scope="col">Words added</th>
          <th scope="col">Deleted</th>
          <th scope="col">Inserted</th>
          <th scope="col">Active</th>
        </tr>
      </thead>
      <tbody>
        {work.map(({ author, active, added, removed, atOnce }, row) => {
          const person = authorOf(viewModel, author);
          return (
            <tr key={author}>
              <th scope="row">
                <span className={styles.who}>
                  <Avatar name={person.name} color={person.color} size="mini" />
                  <span>{firstName(person)}</span>
                </span>
              </th>
              {shares && <td>{shareWords(shares[row] ?? 0)}</td>}
              <td>{added}</td>
              <td>{removed}</td>
              <td>{atOnce}</td>
              <td>{activeWords(active)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Elsewhere({
  viewModel,
  shares,
}: {
  viewModel: AnalysisViewModel;
  shares: readonly ImportedShare[];
}) {
  if (shares.length === 0) return null;
  return (
    <>
      <h2>Written elsewhere</h2>
      <p className={styles.hint}>Imported or copied from elsewhere; counted for nobody here.</p>
      <ul className={styles.list}>
        {shares.map(({ imported, share }, index) => {
          const person = writerOf(viewModel, imported);
          return (
            <li key={index} className={styles.row}>
              <Avatar name={person.name} color={person.color} size="mini" />
              <span className={styles.sentence}>
                <b>{person.name}</b>, {shareWords(share)} of the text,{" "}
                {cameWords(viewModel, imported.copyIn)}. {basisWords(imported)}{" "}
                <SourceLink viewModel={viewModel} copyIn={imported.copyIn} />
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

function Passages({ viewModel: newest, at }: { viewModel: AnalysisViewModel; at: number }) {
  const [shown, setShown] = useState(atATime);
  const { printing } = useAnalysis();
  const most = printing ? Number.MAX_SAFE_INTEGER : shown;
  const found = useAnalysisQuery(newest, { kind: "passages", at, most });
  const { viewModel, answer } = found ?? {
    viewModel: newest,
    answer: { passages: [], all: 0 },
  };
  const { timeline, domAdapter, onGo } = viewModel;
  const { passages, all } = answer;
  const { list, expectRows } = useMoreRows<HTMLUListElement>(passages.length, all);
  usePrinting(found !== null && passages.length === all);
  const showMore = () => {
    expectRows();
    setShown(shown + atATime);
  };
  const end = timeline.timeOf(timeline.length - 1);
  const point = ({ textblock, from, to }: Passage) =>
    domAdapter &&
    highlight(
      domAdapter.rangeOf({
        start: { textblock, offset: from },
        end: { textblock, offset: to - 1 },
      }),
    );
  return (
    <>
      <h2>By passage</h2>
      <ul
        ref={list}
        className={styles.list}
        onBlur={() => highlight(null)}
        onPointerLeave={() => highlight(null)}
      >
        {passages.map((passage) => {
          const person = passageWriter(viewModel, passage);
          return (
            <li key={`${passage.textblock} ${passage.from}`}>
              <button
                type="button"
                className={classNames(styles.row, personClass(person.color))}
                onFocus={() => point(passage)}
                onPointerEnter={() => point(passage)}
                onClick={() => onGo(passage.last)}
              >
                <Avatar name={person.name} color={person.color} size="mini" />
                <span className={styles.sentence}>
                  <b>{person.name}</b>,{" "}
                  {spanWords(timeline.timeOf(passage.first), timeline.timeOf(passage.last), end)},{" "}
                  {passageChangeKind(viewModel, passage)}
                  <span className={styles.words}>{quoted(passage.text)}</span>
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      {all > passages.length && (
        <Button look="edge" onClick={showMore}>
          Show more passages
        </Button>
      )}
    </>
  );
}
