"use client";

import type { Change } from "@/events/analysis/comparison/comparison";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { RestoreRequest } from "@/events/revisions/restore";
import { Button } from "@/components/ui/button";

type Props = {
  timeline: Timeline;
  from: number;
  to: number;
  change: Change;
  nameOf: (userId: string) => string;
  onTakeBack: (request: RestoreRequest) => void;
};

/** Reverts the current change, or everything that its author did between the two revisions. */
export function TakeBack({ timeline, from, to, change, nameOf, onTakeBack }: Props) {
  return (
    <>
      <Button
        look="edge"
        onClick={() => onTakeBack({ kind: "passage", timeline, index: from, change })}
      >
        Revert this change
      </Button>
      {change.authors.map((author) => {
        const userId = timeline.authors[author];
        // Imported content has no author in this document.
        return (
          userId !== undefined && (
            <Button
              key={author}
              look="edge"
              onClick={() => onTakeBack({ kind: "author", timeline, author: userId, from, to })}
            >
              Revert all changes by {nameOf(userId)}
            </Button>
          )
        );
      })}
    </>
  );
}
