"use client";

import { useEffect, useEffectEvent } from "react";
import type { Ruled } from "@/events/core/envelope";
import type { LiveDocument } from "@/machines/sync/live-document";
import { firstName } from "@/events/read-models/person";
import { useToast } from "@/components/ui/toast";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { actionWords } from "./action-words";

/**
 * Announces the actions of others on an open document (restores, merges, redactions), with a link
 * to the revision.
 */
export function Actions({ live }: { live: LiveDocument }) {
  const { me, people } = useWorkspace("me", "people");
  const toast = useToast();
  const nameOf = (userId: string) => {
    const person = people.get(userId);
    return person ? firstName(person) : "Somebody";
  };
  const notify = useEffectEvent((row: Ruled) => {
    const words =
      row.actorId === me.userId
        ? null
        : actionWords(row, (userId) => (userId === me.userId ? "your" : `${nameOf(userId)}’s`));
    if (words === null) return;
    const show = () => history.pushState(null, "", `${location.pathname}?at=${row.version}`);
    toast({
      text: `${nameOf(row.actorId)} ${words}`,
      action: { label: "See it", instead: "Open the history at its newest moment", onAct: show },
    });
  });
  useEffect(() => {
    // The catch-up notice covers events from before the page was opened.
    let from = Infinity;
    void live.loaded.then(() => (from = live.version));
    return live.onRows((rows) => {
      for (const row of rows) if (row.version > from) notify(row);
    });
  }, [live]);
  return null;
}
