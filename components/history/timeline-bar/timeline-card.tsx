"use client";

import { useEffect, useMemo } from "react";
import { groupChangeAt } from "@/events/analysis/group-change";
import type { Timeline } from "@/events/history/timeline/timeline";
import { useAnnounce } from "@/components/ui/screen/announcer";
import { firstName } from "@/events/read-models/person";
import type { Person } from "@/events/read-models/person";
import { Avatar } from "@/components/ui/pictures/avatar";
import { classNames } from "@/components/ui/class-names";
import { personClass } from "@/components/ui/pictures/palette";
import { moveWords } from "@/components/history/words/move-words";
import { groupWords, spokenChange } from "@/components/history/words/group-words";
import { dateWords, revisionKindWords, timeWords } from "@/components/history/words/revision-words";
import { numberWords } from "@/events/core/text/number-words";
import styles from "./timeline-bar.module.css";

type Props = {
  timeline: Timeline;
  authors: readonly Person[];
  /** The position on the timeline bar, from 0 to 1. `index` is its revision. */
  position: number;
  index: number;
  /** Whether the card is at the playhead, which has a line of its own. */
  atHead: boolean;
  /** Whether screen readers announce the change. The slider announces time and author. */
  spoken: boolean;
};

const settled = 700;

/** Shows the burst at a position of the timeline bar: time, author and change. */
export function TimelineCard({ timeline, authors, position, index, atHead, spoken }: Props) {
  const { time, author, type } = timeline.revision(index);
  const person = authors[author];
  const group = timeline.groupBefore(index + 1);
  // Memoized, because the pointer moves over many pixels of one burst.
  const change = useMemo(() => groupChangeAt(timeline, group), [timeline, group]);
  const announce = useAnnounce();
  const nameOf = (userId: string) =>
    firstName(authors[timeline.authors.indexOf(userId)] ?? { name: "Somebody" });
  useEffect(() => {
    const words = spoken ? spokenChange(change) : null;
    if (words === null) return;
    // A held key passes many bursts. Only the burst at which it stops is announced.
    const timer = setTimeout(() => announce(words), settled);
    return () => clearTimeout(timer);
  }, [spoken, change, announce]);
  return (
    <div
      className={classNames(styles.hover, atHead && styles.atHead)}
      style={{ left: `${position * 100}%` }}
      data-card
      aria-hidden
    >
      <div className={styles.peek} style={{ translate: `${-position * 100}% 0` }}>
        <b>
          {dateWords(time, timeline.timeOf(timeline.length - 1))}, {timeWords(time)}
        </b>
        <span>
          {person && <Avatar name={person.name} color={person.color} size="mini" />}
          {firstName(person ?? { name: "Somebody" })},{" "}
          {change.moved === null
            ? (revisionKindWords({ type }) ??
              groupWords(change) ??
              `edit ${numberWords(index + 1)}`)
            : moveWords(timeline, change.moved, nameOf)}
        </span>
        {/* At the playhead, the page itself shows the words and must not be covered. */}
        {!atHead && change.excerpt.length > 0 && (
          <blockquote className={personClass(person?.color ?? 10)}>
            {change.excerpt.map(({ text, state }, at) =>
              state === "new" ? (
                <ins key={at}>{text}</ins>
              ) : state === "gone" ? (
                <del key={at}>{text}</del>
              ) : (
                <span key={at}>{text}</span>
              ),
            )}
          </blockquote>
        )}
      </div>
    </div>
  );
}
