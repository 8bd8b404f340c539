"use client";

import { useEffect, useMemo } from "react";
import { groupChangeAt } from "@/events/analysis/group-change";
import { type Timeline } from "@/events/history/timeline/timeline";
import { useAnnounce } from "@/components/ui/screen/announcer";
import { firstName, type Person } from "@/events/read-models/person";
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
  /** Where it stands on the timeline bar, 0 to 1, and the revision that stands there. */
  position: number;
  index: number;
  /** Whether it stands at the playhead, which has its own line. */
  atHead: boolean;
  /** Whether a screen reader is told what changed; when and who it hears from the slider. */
  spoken: boolean;
};

const settled = 700;

/** What stands at a place of the timeline bar: when, who, and what they did there in one go. */
export function TimelineCard({ timeline, authors, position, index, atHead, spoken }: Props) {
  const { time, author, type } = timeline.revision(index);
  const person = authors[author];
  const group = timeline.groupBefore(index + 1);
  // One group is many pixels of the pointer's way.
  const change = useMemo(() => groupChangeAt(timeline, group), [timeline, group]);
  const announce = useAnnounce();
  const nameOf = (userId: string) =>
    firstName(authors[timeline.authors.indexOf(userId)] ?? { name: "Somebody" });
  useEffect(() => {
    const words = spoken ? spokenChange(change) : null;
    if (words === null) return;
    // A key that is held down passes over many groups: the one at which it rests is told.
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
        {/* At the playhead the page itself shows them, and must not be covered. */}
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
