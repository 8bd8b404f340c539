"use client";

import { useEffect } from "react";
import { sentence } from "@/events/log/refusal";
import { useToast } from "@/components/ui/toast";
import { useTab } from "./backend-provider";

/**
 * Sends the proposals of a person's closed tabs and reports refusals. The workspace `except`, which
 * the page shows, is skipped. Without a person, nothing is sent.
 */
export function useProposalsFlush(userId: string | null, except: string | null): void {
  const { tab } = useTab();
  const toast = useToast();
  useEffect(() => {
    if (tab === null || userId === null) return;
    let shown = true;
    const flush = () =>
      void import("./tab-flush")
        .then(({ flushTabProposals }) => flushTabProposals(tab.backend.store, userId, except))
        .then((refused) => {
          for (const refusal of refused)
            if (shown)
              toast({ text: `A change you made earlier couldn’t be saved. ${sentence(refusal)}` });
        });
    flush();
    addEventListener("online", flush);
    return () => {
      shown = false;
      removeEventListener("online", flush);
    };
  }, [tab, userId, except, toast]);
}
