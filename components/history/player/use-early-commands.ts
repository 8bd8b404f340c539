"use client";

import { useCallback } from "react";
import type { ReplayEvent } from "@/machines/replay/replay-setup";
import type { PlayerCommand } from "@/components/history/playback/player-keys";

/** The commands that work on the prefix of a history: navigation and playback. */
const early = [
  "seek",
  "scrub",
  "scrubbed",
  "step",
  "group",
  "session",
  "skip",
  "play",
  "pause",
  "toggle",
  "speed",
] as const;
type EarlyCommand = Extract<PlayerCommand, { type: (typeof early)[number] }>;

/** Whether a command works before the whole history is loaded. */
function isEarly(command: PlayerCommand): command is EarlyCommand {
  return early.some((type) => type === command.type);
}

/** Runs the player's commands before the whole history is loaded. */
export function useEarlyCommands(
  send: (event: ReplayEvent) => void,
  onLeave: () => void,
): (command: PlayerCommand) => void {
  return useCallback(
    (command) => {
      if (command.type === "leave") onLeave();
      else if (command.type === "stop") send({ type: "session", by: command.by });
      else if (isEarly(command)) send(command);
    },
    [send, onLeave],
  );
}
