"use client";

import { useEffect, useId, useLayoutEffect, useRef } from "react";
import { type Passage } from "@/events/analysis/attribution";
import { type Timeline } from "@/events/history/timeline/timeline";
import { firstName } from "@/events/read-models/person";
import { Avatar } from "@/components/ui/avatar";
import { Button } from "@/components/ui/button";
import { basisWords, passageDeed, passageWriter } from "./imported-content-words";
import { authorOf, type InsightScene } from "./analysis-model";
import { spanWords } from "./analysis-words";
import { SourceLink } from "./source-link";
import { usePointed } from "./use-pointed";
import styles from "./analysis.module.css";

const gap = 10;

/** The card beside the pointer or the caret: who wrote the passage there, when, typed or at once, and the way to that moment. */
export function AuthorCard({ scene }: { scene: InsightScene }) {
  const [pointed, dismiss] = usePointed(scene);
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
      if (byKey) scene.surface?.element.focus({ preventScroll: true });
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
        <PassageFacts scene={scene} passage={pointed.passage} />
      </div>
      <div className={styles.actions}>
        <Button
          look="edge"
          onClick={() => {
            dismiss();
            scene.onGo(pointed.passage.last);
          }}
        >
          Go to this moment
        </Button>
        {pointed.passage.carried && (
          <SourceLink scene={scene} carriage={pointed.passage.carried.carriage} />
        )}
      </div>
    </div>
  );
}

/** Who, when, and how a passage came into the text. */
function PassageFacts({ scene, passage }: { scene: InsightScene; passage: Passage }) {
  const { carried, returned } = passage;
  const person = passageWriter(scene, passage);
  return (
    <>
      <span>
        <Avatar name={person.name} color={person.color} size="mini" />
        <b>{person.name}</b>
      </span>
      <p>
        {whenWords(scene.timeline, passage)}, {passageDeed(scene, passage)}
      </p>
      {returned !== null && (
        <p>
          Brought back by {firstName(authorOf(scene, scene.timeline.authorOf(returned)))},{" "}
          {spanWords(
            scene.timeline.timeOf(returned),
            scene.timeline.timeOf(returned),
            scene.timeline.timeOf(scene.timeline.length - 1),
          )}
        </p>
      )}
      {carried && <p>{basisWords(carried)}</p>}
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
