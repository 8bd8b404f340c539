"use client";

import { FileText, Play, Users } from "lucide-react";
import { memo } from "react";
import { timeOf } from "@/components/ui/time/day-words";
import { Avatar } from "@/components/ui/pictures/avatar";
import { buttonClass } from "@/components/ui/button";
import { DocumentIcon } from "@/components/ui/pictures/document-icon";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { useDocumentRow, useWorkspace } from "@/components/workspace-state/workspace-context";
import { lastPhrase } from "@/components/workspace/changes/event-phrases";
import { amountWords } from "@/components/workspace/changes/line-words";
import { Sentence } from "@/components/workspace/changes/sentence";
import { isolated } from "@/events/core/text/isolated";
import { activityWords } from "./activity-words";
import type { Entry, Placed } from "./activity-entries";
import styles from "./activity.module.css";

/** The duration in seconds of a session's playback that starts here. */
const seconds = 20;

/** Formats the time of an entry: "09:31", or a range if it lasted over a minute. */
function spanOf({ began, at }: Entry, clock: { zone: string }): string {
  const [from, to] = [timeOf(began, clock), timeOf(at, clock)];
  return from === to ? to : `${from}–${to}`;
}

/** Shows an entry of the activity, with the headings of the day and document that it starts. */
export const ActivityItem = memo(function ActivityItem({ entry, day, begins }: Placed) {
  const { me, people, clock, name } = useWorkspace("me", "people", "clock", "name");
  const { actorId, document: id, line, happening, from, to, at } = entry;
  const actor = people.get(actorId) ?? { name: "Somebody", color: 10 };
  const row = useDocumentRow(id ?? "");
  const who = (userId: string) =>
    userId === me.userId ? "you" : isolated(people.get(userId)?.name ?? "somebody");
  const instead = happening && id === null ? activityWords(happening, who, "").before : null;
  const minutes = Math.round((Date.parse(at) - Date.parse(entry.began)) / 60_000);
  const span = spanOf(entry, clock);
  const title = row?.title || "Untitled";
  const amount = line ? amountWords(line) : "";
  return (
    <article className={styles.article} tabIndex={0} aria-labelledby={`entry-${entry.key}`}>
      {day !== null && <h2>{day}</h2>}
      {begins && (
        <h3 className={styles.document}>
          <span className={styles.icon} aria-hidden>
            {id === null ? (
              <Icon of={Users} />
            ) : row?.icon ? (
              <DocumentIcon emoji={row.icon} />
            ) : (
              <Icon of={FileText} />
            )}
          </span>
          {id === null ? name : <Link href={`/d/${id}`}>{title}</Link>}
        </h3>
      )}
      <div className={styles.item}>
        <Avatar name={actor.name} color={actor.color} size="mini" />
        <p id={`entry-${entry.key}`}>
          <Sentence
            actorId={actorId}
            line={line}
            instead={instead ?? lastPhrase({ type: happening?.type ?? "", minutes })}
          />
        </p>
        <span className={styles.words}>{amount}</span>
        {id === null ? (
          <time className={styles.when} dateTime={at}>
            {span}
          </time>
        ) : (
          <>
            <Link
              className={styles.when}
              href={`/d/${id}?at=${to}`}
              aria-label={`${span}, go to when it stood`}
            >
              <time dateTime={at}>{span}</time>
            </Link>
            <Link
              className={buttonClass({ look: "quiet", icon: true, className: styles.play })}
              href={`/d/${id}?from=${from}&to=${to}&play=1&within=${seconds}`}
              aria-label={`Replay ${span} of ${title}`}
            >
              <Icon of={Play} size={14} />
            </Link>
          </>
        )}
      </div>
    </article>
  );
});
