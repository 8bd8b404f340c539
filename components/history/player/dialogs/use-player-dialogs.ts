"use client";

import { useState } from "react";
import type { Timeline } from "@/events/history/timeline/timeline";
import { indexNow } from "@/components/history/playback/replay-context";
import type { ReplayActor } from "@/components/history/playback/replay-context";
import { heldRevision, nameableFrom } from "./held-revision";
import type { PlayerDialog } from "./player-dialogs";

type Input = {
  actor: ReplayActor;
  timeline: Timeline | null;
  nameOf: (userId: string) => string;
};

/** Returns the open dialog of the player, and the functions that open and close dialogs. */
export function usePlayerDialogs({ actor, timeline, nameOf }: Input) {
  const [dialog, setDialog] = useState<PlayerDialog | null>(null);
  const openAt = (kind: "versions" | "redact", shown: number) => {
    if (timeline === null) return;
    const nameable = nameableFrom(timeline, shown);
    actor.send({ type: "pause" });
    actor.send({ type: "seek", index: shown });
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
    /** Pauses the replay and opens a dialog about the shown revision. */
    openAtRevision: (kind: "versions" | "redact") => openAt(kind, indexNow(actor)),
    /** Moves the open dialog of versions, and the player behind it, to another revision. */
    nameFrom: (to: number) => openAt("versions", to),
    close: () => setDialog(null),
  };
}
