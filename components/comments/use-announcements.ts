"use client";

import type { EventTypeOf } from "@/events/core/event-types";
import { bodyOf } from "@/events/core/recorded-body";
import { entryOf } from "@/events/core/table-entry";
import { useEffect, useRef } from "react";
import type { Ruled } from "@/events/core/envelope";
import type { LiveDocument } from "@/machines/sync/live-document";
import type { CommentThread } from "@/machines/comment-thread";
import { useAnnounce } from "@/components/ui/screen/announcer";
import { firstName } from "@/events/read-models/person";
import type { Person } from "@/events/read-models/person";
import { quoteWords } from "./quote-words";

const actions: Readonly<Record<EventTypeOf<"thread" | "comment">, string | null>> = {
  "thread.opened": "commented",
  "comment.added": "replied",
  "thread.resolved": "resolved a comment",
  "thread.reopened": "reopened a comment",
  "comment.edited": null,
  "comment.deleted": null,
};

type Input = {
  live: LiveDocument;
  userId: string;
  people: ReadonlyMap<string, Person>;
  threads: readonly CommentThread[] | null;
};

/** Announces comments and resolutions by others to screen readers as they arrive. */
export function useAnnouncements({ live, userId, people, threads }: Input): void {
  const announce = useAnnounce();
  const latest = useRef({ people, threads });
  useEffect(() => {
    latest.current = { people, threads };
  });
  useEffect(
    () =>
      live.onRows((rows) => {
        const opened = new Set(
          rows.flatMap(({ type, subject }) => (type === "thread.opened" ? [subject.id] : [])),
        );
        for (const row of rows) {
          const about = threadOf(row);
          const action = entryOf(actions, row.type) ?? null;
          if (
            action === null ||
            row.actorId === userId ||
            (row.type === "comment.added" && opened.has(about ?? ""))
          )
            continue;
          const person = latest.current.people.get(row.actorId);
          const quote =
            quoteOf(row) ?? latest.current.threads?.find(({ id }) => id === about)?.anchor.quote;
          announce(
            `${person ? firstName(person) : "Somebody"} ${action}${quote ? ` on “${quoteWords(quote)}”` : ""}`,
          );
        }
      }),
    [live, userId, announce],
  );
}

function quoteOf(row: Ruled): string | undefined {
  return bodyOf(row, "thread.opened")?.quote;
}

function threadOf(row: Ruled): string | undefined {
  const added = bodyOf(row, "comment.added");
  return added ? added.thread : row.subject.id;
}
