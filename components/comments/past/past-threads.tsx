"use client";

import { useEffect, useMemo, useRef, useState } from "react";
import type { ReactNode, RefObject } from "react";
import { layoutEvery } from "../passages/margin-layout";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { Person } from "@/events/read-models/person";
import { Avatar } from "@/components/ui/pictures/avatar";
import { classNames } from "@/components/ui/class-names";
import { isolated } from "@/events/core/text/isolated";
import { commentsAt } from "./past-comments";
import { quoteWords } from "../quote-words";
import { usePastMargin } from "./use-past-margin";
import type { MarginEdit } from "./use-past-margin";
import styles from "./past-threads.module.css";

type Props = {
  timeline: Timeline;
  index: number;
  moving: boolean;
  /** Whether the page scrolls along with the changes. */
  following: boolean;
  people: ReadonlyMap<string, Person>;
  page: RefObject<HTMLElement | null>;
  /** Returns the notes on edits up to a revision, newest first. */
  editsAt: (timeline: Timeline, at: number) => readonly EditNote[];
  /** Whether the margin shows the notes. The words are highlighted in any case. */
  shown: boolean;
};

/** A note on an edit of the text. */
export type EditNote = MarginEdit & {
  person: { name: string; color: number };
  sentence: ReactNode;
  when: string;
};

/**
 * Returns the revision whose comments are shown. During playback it advances a few times per
 * second, so that the comments do not delay the text.
 */
function usePaced(index: number, moving: boolean): number {
  const [shown, setShown] = useState(index);
  const latest = useRef(index);
  useEffect(() => {
    latest.current = index;
  });
  useEffect(() => {
    if (!moving) return;
    const timer = setInterval(() => setShown(latest.current), layoutEvery);
    return () => clearInterval(timer);
  }, [moving]);
  return moving ? shown : index;
}

/** Shows the comments at a revision of the history, beside their words at that time. */
export function PastThreads({
  timeline,
  index,
  moving,
  following,
  people,
  page,
  editsAt,
  shown,
}: Props) {
  const at = usePaced(index, moving);
  const { threads, now, touched } = useMemo(() => commentsAt(timeline, at), [timeline, at]);
  const edits = useMemo(() => editsAt(timeline, at), [editsAt, timeline, at]);
  const margin = useRef<HTMLElement>(null);
  const tops = usePastMargin({
    timeline,
    at,
    moving,
    following,
    threads,
    edits,
    touched,
    page,
    margin,
    shown,
  });
  if ((threads.length === 0 && edits.length === 0) || !shown) return null;
  return (
    <aside
      ref={margin}
      className={styles.margin}
      aria-label={threads.length > 0 ? "Comments at this moment" : "Edits of this session"}
    >
      {edits.length > 0 && (
        <ol aria-label="Edits of this session">
          {edits.map(({ id, person, sentence, when }) => (
            <li
              key={id}
              data-note={id}
              className={styles.edit}
              style={{
                insetBlockStart: tops.get(id) ?? 0,
                visibility: tops.has(id) ? "visible" : "hidden",
              }}
            >
              <Avatar name={person.name} color={person.color} size="mini" />
              <p>
                {sentence}
                <time>{when}</time>
              </p>
            </li>
          ))}
        </ol>
      )}
      <ol>
        {threads.map(({ id, anchor, comments, resolved, resolvedBy, where }) => (
          <li
            key={id}
            data-note={id}
            className={styles.note}
            style={{ insetBlockStart: tops.get(id) ?? 0 }}
          >
            <p className={styles.quote}>
              {where.state === "gone" && "On deleted text: "}
              <q>{quoteWords(anchor.quote)}</q>
            </p>
            <ol className={styles.comments}>
              {comments.map((comment) => {
                const person = people.get(comment.authorId);
                return (
                  <li key={comment.id} className={classNames(comment.id === now && styles.now)}>
                    <p className={styles.line}>
                      <Avatar
                        name={person?.name ?? "Somebody"}
                        color={person?.color ?? 10}
                        picture={person?.picture}
                        size="small"
                      />
                      <b>{person?.name ?? "Somebody"}</b>
                    </p>
                    <p className={styles.words}>
                      {comment.deleted ? "This comment was deleted." : comment.text}
                    </p>
                  </li>
                );
              })}
            </ol>
            {resolved && (
              <p className={styles.settled}>
                Resolved by {isolated(people.get(resolvedBy ?? "")?.name ?? "somebody")}.
              </p>
            )}
          </li>
        ))}
      </ol>
    </aside>
  );
}
