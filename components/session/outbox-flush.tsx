"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { useToast } from "@/components/ui/toast";
import { useSession, useTab } from "./backend-provider";
import { isCachedPage } from "./cached-page";
import { useProposalsFlush } from "./use-proposals-flush";
import { usePagePerson } from "./person/use-page-person";

/**
 * Sends the leftovers of this person's closed tabs on any page. Shows a message only after a
 * refusal.
 */
export function OutboxFlush() {
  const { tab } = useTab();
  const { session } = useSession();
  const toast = useToast();
  const person = usePagePerson();
  const userId =
    session === null || (person !== null && person !== session.userId) ? null : session.userId;
  const pathname = usePathname();
  // The pages of a workspace send leftovers themselves, because they show what they take over.
  const isInWorkspace = pathname.startsWith("/w/") || pathname.startsWith("/d/");
  useProposalsFlush(isInWorkspace ? null : userId, null);
  useEffect(() => {
    if (tab === null || userId === null) return;
    let shown = true;
    const flush = () =>
      void import("./tab-flush")
        .then(({ flushTab }) => flushTab(tab.backend.store, userId))
        .then(([refused]) => {
          if (!shown || refused === undefined) return;
          toast({
            text: "Changes you made earlier could not be saved. They are kept on this device.",
            action: {
              label: "Open document",
              instead: "They can be copied in their document",
              onAct: () => location.assign(`/d/${refused}`),
            },
          });
        });
    // An offline flush can send nothing, and would block edits of the document that is opened here.
    if (navigator.onLine && !isCachedPage()) flush();
    else addEventListener("online", flush, { once: true });
    return () => {
      shown = false;
      removeEventListener("online", flush);
    };
  }, [tab, userId, toast]);
  return null;
}
