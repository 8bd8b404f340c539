"use client";

import { useCommands } from "@/components/commands/command-handlers";
import { setAnalysis } from "@/components/history/analysis/model/analysis-state";
import type { PlayerCommand } from "@/components/history/playback/player-keys";

type Props = {
  run: (command: PlayerCommand) => void;
  onVerify: () => void;
  /** Restores the shown revision. Absent if the reader may not write. */
  onRestore: (() => void) | undefined;
  onBackToLive: () => void;
};

/** Registers the player's actions as commands. */
export function PlayerCommands({ run, onVerify, onRestore, onBackToLive }: Props) {
  useCommands({
    backToLive: onBackToLive,
    restore: onRestore,
    compare: () => run({ type: "compare" }),
    goTo: () => run({ type: "go.to" }),
    versions: () => run({ type: "versions" }),
    copyLink: () => run({ type: "copy.link" }),
    fork: onRestore && (() => run({ type: "fork" })),
    authors: () => setAnalysis({ view: "authors" }),
    searchHistory: () => setAnalysis({ view: "search" }),
    changes: () => setAnalysis({ view: "account", since: null }),
    verify: onVerify,
  });
  return null;
}
