"use client";

import { memo } from "react";
import type { Happening } from "@/events/read-models/activity";
import { timeOf } from "@/components/ui/day-words";
import { Avatar } from "@/components/ui/avatar";
import { isolated } from "@/events/core/isolated";
import { Link } from "@/components/ui/link";
import { useDocumentRow, useWorkspace } from "@/components/workspace-state/workspace-context";
import { activityWords } from "./activity-words";
import styles from "./activity.module.css";

type Props = {
  happening: Happening;
  /** The day that begins with this one. */ heading: string | null;
};

/** One thing that happened: who, what, when, and a link to that revision. */
export const ActivityItem = memo(function ActivityItem({ happening, heading }: Props) {
  const { me, people, clock } = useWorkspace("me", "people", "clock");
  const { actorId, stream, version, at } = happening;
  const actor = people.get(actorId) ?? { name: "Somebody", color: 10 };
  const document = useDocumentRow(stream.id);
  const who = (userId: string) =>
    userId === me.userId ? "you" : isolated(people.get(userId)?.name ?? "somebody");
  const words = activityWords(happening, who, document?.title ?? "");
  return (
    <article className={styles.article} tabIndex={0} aria-labelledby={`happening-${happening.id}`}>
      {heading !== null && <h2>{heading}</h2>}
      <div className={styles.item}>
        <Avatar name={actor.name} color={actor.color} size="small" />
        <p id={`happening-${happening.id}`}>
          <b>{actorId === me.userId ? "You" : <bdi>{actor.name}</bdi>}</b> {words.before}
          {words.link !== null && (
            <>
              {" "}
              <Link className="link" href={`/d/${stream.id}?at=${version}`}>
                <bdi>{words.link}</bdi>
              </Link>
              {words.after}
            </>
          )}
        </p>
        <time dateTime={at}>{timeOf(at, clock)}</time>
      </div>
    </article>
  );
});
