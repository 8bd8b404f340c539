"use client";

import { type PassageRange } from "@/events/analysis/passage";
import { type Timeline } from "@/events/history/timeline/timeline";
import { type RestoreRequest } from "@/events/revisions/restore";
import { useToast } from "@/components/ui/toast";
import { selectedPassage } from "./passage-offer";

type Input = {
  timeline: Timeline | null;
  index: number;
  /** Whether two revisions are compared, of which neither is the one to take a passage from. */
  comparing: boolean;
  mayRestore: boolean;
  ask: (request: RestoreRequest) => void;
};

/**
 * Bringing a passage of the revision that is shown back into the text of now: `bring` asks for one;
 * null where there is none to bring back, or no right to.
 */
export function useBringBack({ timeline, index, comparing, mayRestore, ask }: Input) {
  const toast = useToast();
  const bring =
    timeline !== null && mayRestore && !comparing && index < timeline.length - 1
      ? (range: PassageRange) => ask({ kind: "words", timeline, index, range })
      : null;
  return {
    bring,
    /** Asks for what is selected on the page, or says what to do first. */
    bringSelected: () => {
      const range = bring && timeline && selectedPassage(timeline);
      if (range) bring(range);
      else
        toast({
          text: mayRestore
            ? "Select text from an earlier moment first, then bring it back."
            : "You can read this document, but not change it.",
        });
    },
  };
}
