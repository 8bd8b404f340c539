"use client";

import { useState } from "react";
import { type Timeline } from "@/events/history/timeline/timeline";
import { type ReplayEvent } from "@/machines/replay/replay-setup";
import { heldRevision, nameableFrom } from "./held-revision";
import { type PlayerDialog } from "./player-dialogs";

type Input = {
  timeline: Timeline | null;
  index: number;
  nameOf: (userId: string) => string;
  send: (event: ReplayEvent) => void;
};

/** Which dialog is open over the player, and what opens and closes it. */
export function usePlayerDialogs({ timeline, index, nameOf, send }: Input) {
  const [dialog, setDialog] = useState<PlayerDialog | null>(null);
  const openAt = (kind: "versions" | "redact", shown: number) => {
    if (timeline === null) return;
    const nameable = nameableFrom(timeline, shown);
    send({ type: "PAUSE" });
    // The clock may have gone a frame further than the page.
    send({ type: "SEEK", index: shown });
    const at = heldRevision(timeline, shown, nameOf);
    if (kind === "redact") setDialog({ kind, at });
    else {
      const next = nameable === shown ? null : heldRevision(timeline, nameable, nameOf);
      setDialog({ kind, at, next });
    }
  };
  return {
    dialog,
    open: (kind: "go-to" | "chapters") => setDialog({ kind }),
    /** Opens a dialog about the revision that is shown, at which the replay stops. */
    openAtRevision: (kind: "versions" | "redact") => openAt(kind, index),
    /** Shows another revision behind the open dialog of versions, which is about that one from then on. */
    nameFrom: (to: number) => openAt("versions", to),
    close: () => setDialog(null),
  };
}
