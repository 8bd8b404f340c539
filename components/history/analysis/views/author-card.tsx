"use client";

import { useEffect, useId, useLayoutEffect, useRef } from "react";
import type { Passage } from "@/events/analysis/attribution";
import type { Timeline } from "@/events/history/timeline/timeline";
import { firstName } from "@/events/read-models/person";
import { Avatar } from "@/components/ui/pictures/avatar";
import { Button } from "@/components/ui/button";
import { basisWords, passageChangeKind, passageWriter } from "../model/imported-content-words";
import { authorOf } from "../model/analysis-model";
import type { AnalysisViewModel } from "../model/analysis-model";
import { spanWords } from "../model/analysis-words";
import { SourceLink } from "./source-link";
import { usePointed } from "../highlights/use-pointed";
import styles from "../analysis.module.css";

const gap = 10;

/**
 * Shows a card beside the pointer or the caret: author, time and kind of the passage there, with a
 * link to its revision.
 */
export function AuthorCard({ viewModel }: { viewModel: AnalysisViewModel }) {
  const [pointed, dismiss] = usePointed(viewModel);
  const card = useRef<HTMLDivElement>(null);
  const facts = useId();
  useLayoutEffect(() => {
    const element = card.current;
    if (!element || !pointed) return;
    const { offsetWidth: width, offsetHeight: height } = element;
    const left = Math.max(8, Math.min(pointed.x - 20, innerWidth - width - 8));
    const below = pointed.y + gap + 8;
    const top = below + height > innerHeight - 8 ? pointed.y - height - gap : below;
    element.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }, [pointed]);
  const byKey = pointed?.byKey === true;
  useEffect(() => {
    if (byKey) card.current?.querySelector("button")?.focus({ preventScroll: true });
  }, [byKey]);
  useEffect(() => {
    if (!pointed) return;
    const leave = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      dismiss();
      if (byKey) viewModel.domAdapter?.element.focus({ preventScroll: true });
    };
    document.addEventListener("keydown", leave);
    return () => document.removeEventListener("keydown", leave);
  });
  if (!pointed) return null;
  return (
    <div
      ref={card}
      className={styles.card}
      data-card
      data-own-keys
      {...(byKey
        ? { role: "group", "aria-label": "Who wrote this passage", "aria-describedby": facts }
        : { role: "tooltip" })}
    >
      <div id={facts}>
        <PassageFacts viewModel={viewModel} passage={pointed.passage} />
      </div>
      <div className={styles.actions}>
        <Button
          look="edge"
          onClick={() => {
            dismiss();
            viewModel.onGo(pointed.passage.last);
          }}
        >
          Go to this moment
        </Button>
        {pointed.passage.imported && (
          <SourceLink viewModel={viewModel} copyIn={pointed.passage.imported.copyIn} />
        )}
      </div>
    </div>
  );
}

/** Shows the author, time and origin of a passage. */
function PassageFacts({ viewModel, passage }: { viewModel: AnalysisViewModel; passage: Passage }) {
  const { imported, returned } = passage;
  const person = passageWriter(viewModel, passage);
  return (
    <>
      <span>
        <Avatar name={person.name} color={person.color} size="mini" />
        <b>{person.name}</b>
      </span>
      <p>
        {whenWords(viewModel.timeline, passage)}, {passageChangeKind(viewModel, passage)}
      </p>
      {returned !== null && (
        <p>
          Brought back by {firstName(authorOf(viewModel, viewModel.timeline.authorOf(returned)))},{" "}
          {spanWords(
            viewModel.timeline.timeOf(returned),
            viewModel.timeline.timeOf(returned),
            viewModel.timeline.timeOf(viewModel.timeline.length - 1),
          )}
        </p>
      )}
      {imported && <p>{basisWords(imported)}</p>}
    </>
  );
}

function whenWords(timeline: Timeline, { first, last }: Passage): string {
  return spanWords(
    timeline.timeOf(first),
    timeline.timeOf(last),
    timeline.timeOf(timeline.length - 1),
  );
}
