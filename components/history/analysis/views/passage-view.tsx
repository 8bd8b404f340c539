"use client";

import { ArchiveRestore } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { lifeOfPassage } from "@/events/analysis/passage";
import type { PassageChange, PassageRange } from "@/events/analysis/passage";
import { markingsOf } from "@/events/analysis/passage-marks";
import type { PassageMarking } from "@/events/analysis/passage-marks";
import { markNames } from "@/components/history/words/change-words";
import { firstName } from "@/events/read-models/person";
import type { Person } from "@/events/read-models/person";
import { Avatar } from "@/components/ui/pictures/avatar";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Icon } from "@/components/ui/icon";
import { personClass } from "@/components/ui/pictures/palette";
import { cameWords, writerOf, writtenWords } from "../model/imported-content-words";
import { heldPassage } from "./held-passage";
import { commentsOn } from "./passage-comments";
import type { PassageComment } from "./passage-comments";
import { authorOf } from "../model/analysis-model";
import type { AnalysisViewModel } from "../model/analysis-model";
import { quoted, spanWords } from "../model/analysis-words";
import { SourceLink } from "./source-link";
import { usePrinting } from "../model/use-printing";
import styles from "../analysis.module.css";

type Item = { at: number; from: number; author: number } & (
  { change: PassageChange } | { comment: PassageComment } | { marking: PassageMarking }
);

/** Returns the passage that is selected now, or that was selected last. */
function useSelectedPassage({ domAdapter, timeline }: AnalysisViewModel): PassageRange | null {
  const [held, setHeld] = useState(() =>
    heldPassage(null, timeline, domAdapter?.selected() ?? null),
  );
  useEffect(() => {
    if (!domAdapter) return;
    let frame = 0;
    const read = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() =>
        setHeld((before) => heldPassage(before, timeline, domAdapter.selected())),
      );
    };
    read();
    document.addEventListener("selectionchange", read);
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener("selectionchange", read);
    };
  }, [domAdapter, timeline]);
  return useMemo(() => heldPassage(held, timeline, null)?.range ?? null, [held, timeline]);
}

function changeVerb({ added, removed, atOnce, restored }: PassageChange): string {
  if (restored !== null)
    return restored.toVersion === null ? "took changes back" : "restored an earlier version";
  if (added === "") return "deleted";
  if (removed !== "") return "reworded";
  return atOnce ? "inserted in one go" : "wrote";
}

/**
 * Shows the history of the selected passage: its insertions, rewordings, deletions and comments in
 * order, each with a link to its revision.
 */
export function PassageView({ viewModel }: { viewModel: AnalysisViewModel }) {
  const { timeline, index, onGo, onBring, contentOrigin } = viewModel;
  const range = useSelectedPassage(viewModel);
  usePrinting(true);
  const newest = timeline.timeOf(timeline.length - 1);
  const textItems = useMemo(() => {
    if (!range) return [];
    const changes = lifeOfPassage(timeline, range, contentOrigin).map((change): Item => ({
      at: change.to,
      from: change.from,
      author: change.author,
      change,
    }));
    const markings = markingsOf(timeline, range).map((marking): Item => ({
      at: marking.revision,
      from: marking.revision,
      author: marking.author,
      marking,
    }));
    return [...changes, ...markings];
  }, [timeline, range, contentOrigin]);
  const commentItems = useMemo(
    () =>
      range
        ? commentsOn(timeline, range, index).map((comment): Item => ({
            at: comment.revision,
            from: comment.revision,
            author: comment.author,
            comment,
          }))
        : [],
    [timeline, range, index],
  );
  const items = useMemo(
    () => [...textItems, ...commentItems].sort((a, b) => a.from - b.from),
    [textItems, commentItems],
  );
  return (
    <section aria-label="Passage history" aria-live="polite">
      <h2>Passage history</h2>
      {!range && (
        <p className={styles.hint}>
          Select some words in the text. Their history appears here: who wrote them, what stood
          there before, who changed it and what was said about it.
        </p>
      )}
      {range && items.length === 0 && (
        <p className={styles.hint}>No history for these words yet. They may not be saved.</p>
      )}
      {range && onBring && (
        <div className={styles.bring}>
          <Button look="edge" onClick={() => onBring(range)}>
            <Icon of={ArchiveRestore} size={14} />
            Bring this passage back
          </Button>
        </div>
      )}
      <ol className={styles.list}>
        {items.map((item) => {
          const imported = "change" in item ? item.change.imported : null;
          const person = imported
            ? writerOf(viewModel, {
                writer: imported.writers.length === 1 ? (imported.writers[0] ?? null) : null,
              })
            : authorOf(viewModel, item.author);
          return (
            <li
              key={`${item.from} ${item.at} ${"comment" in item ? item.comment.id : "marking" in item ? "look" : ""}`}
            >
              <button
                type="button"
                className={classNames(styles.row, personClass(person.color))}
                onClick={() => onGo(item.at)}
              >
                <Avatar name={person.name} color={person.color} size="mini" />
                <span className={styles.sentence}>
                  <PassageEvent item={item} viewModel={viewModel} person={person} />
                  <time>
                    {" "}
                    {spanWords(timeline.timeOf(item.from), timeline.timeOf(item.at), newest)}
                  </time>
                  <Words item={item} />
                </span>
              </button>
              {imported && (
                <p className={styles.source}>
                  {writtenWords(viewModel, imported.writers)}{" "}
                  <SourceLink viewModel={viewModel} copyIn={imported.copyIn} />
                </p>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function PassageEvent({
  item,
  viewModel,
  person,
}: {
  item: Item;
  viewModel: AnalysisViewModel;
  person: Person;
}) {
  const imported = "change" in item ? item.change.imported : null;
  if (imported) {
    return (
      <>
        <b>{person.name}</b>, {cameWords(viewModel, imported.copyIn)},
      </>
    );
  }
  return (
    <>
      <b>{firstName(person)}</b>{" "}
      {"change" in item
        ? changeVerb(item.change)
        : "comment" in item
          ? item.comment.action
          : `made it ${markNames(item.marking)}`}
      ,
    </>
  );
}

function Words({ item }: { item: Item }) {
  if ("comment" in item)
    return (
      item.comment.text !== "" && <span className={styles.words}>{quoted(item.comment.text)}</span>
    );
  if ("marking" in item) return <span className={styles.words}>{quoted(item.marking.text)}</span>;
  const { added, removed } = item.change;
  return (
    <span className={styles.words}>
      {removed !== "" && <del>{quoted(removed)}</del>} {added !== "" && <ins>{quoted(added)}</ins>}
    </span>
  );
}
