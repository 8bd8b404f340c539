"use client";

import { useEffect, useRef } from "react";
import { type Ruled } from "@/events/core/envelope";
import { type LiveDocument } from "@/machines/sync/live-document";
import { type Discussion } from "@/machines/discussion";
import { useAnnounce } from "@/components/ui/announcer";
import { firstName, type Person } from "@/events/read-models/person";
import { quoteWords } from "./quote-words";

const deeds: Record<string, string> = {
  "thread.opened": "commented",
  "comment.added": "answered",
  "thread.resolved": "resolved a thread",
  "thread.reopened": "reopened a thread",
};

type Input = {
  live: LiveDocument;
  userId: string;
  people: ReadonlyMap<string, Person>;
  discussions: readonly Discussion[] | null;
};

/** Tells a screen reader what others say and settle, as it happens. */
export function useHearsay({ live, userId, people, discussions }: Input): void {
  const announce = useAnnounce();
  const latest = useRef({ people, discussions });
  useEffect(() => {
    latest.current = { people, discussions };
  });
  useEffect(
    () =>
      live.onRows((rows) => {
        const opened = new Set(
          rows.flatMap(({ type, subject }) => (type === "thread.opened" ? [subject.id] : [])),
        );
        for (const row of rows) {
          const about = threadOf(row);
          const deed = deeds[row.type];
          if (
            deed === undefined ||
            row.actorId === userId ||
            (row.type === "comment.added" && opened.has(about ?? ""))
          )
            continue;
          const person = latest.current.people.get(row.actorId);
          const quote =
            quoteOf(row) ??
            latest.current.discussions?.find(({ id }) => id === about)?.anchor.quote;
          announce(
            `${person ? firstName(person) : "Somebody"} ${deed}${quote ? ` on “${quoteWords(quote)}”` : ""}`,
          );
        }
      }),
    [live, userId, announce],
  );
}

function field(body: Ruled["body"], name: string): string | null {
  const value =
    typeof body === "object" && body !== null && !Array.isArray(body) ? body[name] : null;
  return typeof value === "string" ? value : null;
}

function quoteOf({ type, body }: Ruled): string | null {
  return type === "thread.opened" ? field(body, "quote") : null;
}

function threadOf({ type, subject, body }: Ruled): string | null {
  return type === "comment.added" ? field(body, "thread") : subject.id;
}
