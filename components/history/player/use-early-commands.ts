"use client";

import { useCallback } from "react";
import { type ReplayEvent } from "@/machines/replay/replay-setup";
import { type PlayerCommand } from "@/components/history/playback/player-keys";

/** What may be asked of a history of which only the beginning is there: to go about in it, and to play it. */
const early = [
  "SEEK",
  "SCRUB",
  "SCRUBBED",
  "STEP",
  "GROUP",
  "SESSION",
  "SKIP",
  "PLAY",
  "PAUSE",
  "TOGGLE",
  "SPEED",
] as const;
type EarlyCommand = Extract<PlayerCommand, { type: (typeof early)[number] }>;

/** Whether a command makes sense before the whole history is there. */
function isEarly(command: PlayerCommand): command is EarlyCommand {
  return early.some((type) => type === command.type);
}

/** The function that does what is asked of the player before the whole history is there. */
export function useEarlyCommands(
  send: (event: ReplayEvent) => void,
  onLeave: () => void,
): (command: PlayerCommand) => void {
  return useCallback(
    (command) => {
      if (command.type === "LEAVE") onLeave();
      else if (command.type === "STOP") send({ type: "SESSION", by: command.by });
      else if (isEarly(command)) send(command);
    },
    [send, onLeave],
  );
}
