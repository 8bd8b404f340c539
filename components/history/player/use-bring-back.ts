"use client";

import type { PassageRange } from "@/events/analysis/passage";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { RestoreRequest } from "@/events/revisions/restore";
import { indexNow } from "@/components/history/playback/replay-context";
import type { ReplayActor } from "@/components/history/playback/replay-context";
import { useToast } from "@/components/ui/toast";
import { selectedPassage } from "./passage-offer";

type Input = {
  actor: ReplayActor;
  timeline: Timeline | null;
  /** Whether two revisions are compared. Neither can then be restored from. */
  comparing: boolean;
  mayRestore: boolean;
  ask: (request: RestoreRequest) => void;
};

/** Whether a revision is not the newest one. */
export function isEarlier(timeline: Timeline, index: number): boolean {
  return index < timeline.length - 1;
}

/**
 * Restores passages of the shown revision into the live text. `bring` requests a restore, and is
 * null during a comparison and for readers who may not write. The newest revision has nothing to
 * restore.
 */
export function useBringBack({ actor, timeline, comparing, mayRestore, ask }: Input) {
  const toast = useToast();
  const bring =
    timeline !== null && mayRestore && !comparing
      ? (range: PassageRange) => ask({ kind: "words", timeline, index: indexNow(actor), range })
      : null;
  return {
    bring,
    /** Asks to restore the selection, or tells the reader what to do first. */
    bringSelected: () => {
      const range =
        bring && timeline && isEarlier(timeline, indexNow(actor)) && selectedPassage(timeline);
      if (bring && range) bring(range);
      else
        toast({
          text: mayRestore
            ? "Select text from an earlier moment first, then bring it back."
            : "You can read this document, but not change it.",
        });
    },
  };
}
