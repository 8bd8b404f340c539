"use client";

import { useState } from "react";
import { type Timeline } from "@/events/history/timeline/timeline";
import { type ReplayEvent } from "@/machines/replay/replay-setup";
import { heldRevision } from "./held-revision";
import { type PlayerDialog } from "./player-dialogs";

type Input = {
  timeline: Timeline | null;
  index: number;
  mayName: boolean;
  nameOf: (userId: string) => string;
  send: (event: ReplayEvent) => void;
};

/** Which dialog is open over the player, and what opens and closes it. */
export function usePlayerDialogs({ timeline, index, mayName, nameOf, send }: Input) {
  const [dialog, setDialog] = useState<PlayerDialog | null>(null);
  return {
    dialog,
    open: (kind: "go-to" | "chapters") => setDialog({ kind }),
    /** Opens a dialog about the revision that is shown, at which the replay stops. */
    openAtRevision: (kind: "versions" | "redact") => {
      if (timeline === null) return;
      // A name is for all that was recorded in one event: the page shows what it will stand for.
      const to =
        kind === "versions" && mayName
          ? timeline.ofVersion(timeline.revision(index).version)
          : index;
      send({ type: "PAUSE" });
      // The clock may have gone a frame further than the page.
      send({ type: "SEEK", index: to });
      setDialog({ kind, at: { ...heldRevision(timeline, to, nameOf), moved: to !== index } });
    },
    close: () => setDialog(null),
  };
}
