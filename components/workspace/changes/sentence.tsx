"use client";

import { useMemo } from "react";
import { isolated } from "@/events/core/text/isolated";
import type { ChangeLine } from "@/events/read-models/change-lines";
import { firstName } from "@/events/read-models/person";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { lineWords } from "./line-words";
import styles from "./sentence.module.css";

type Props = {
  actorId: string;
  /** The line, or null to show the words `instead`. */
  line: ChangeLine | null;
  instead: string;
  /** The largest number of parts of the line that are shown. */
  most?: number;
};

/** Shows a person's first name, or "You", followed by the predicate of a line. */
export function Sentence({ actorId, line, instead, most }: Props) {
  const { me, people, clock } = useWorkspace("me", "people", "clock");
  const name = (id: string) => firstName(people.get(id) ?? { name: "Somebody" });
  const pieces = useMemo(() => {
    if (!line) return [{ text: instead, isQuote: false }];
    const whose = (id: string) =>
      id === me.userId
        ? actorId === me.userId
          ? "your own"
          : "your"
        : id === actorId
          ? "their own"
          : `${isolated(firstName(people.get(id) ?? { name: "somebody" }))}’s`;
    return lineWords(line, { clock, whose }, most);
  }, [line, instead, most, actorId, me.userId, people, clock]);
  return (
    <>
      <b className={styles.who}>{actorId === me.userId ? "You" : <bdi>{name(actorId)}</bdi>}</b>{" "}
      {pieces.map(({ text, isQuote }, at) =>
        isQuote ? (
          <span key={at} className={styles.quote}>
            {text}
          </span>
        ) : (
          text
        ),
      )}
    </>
  );
}
