"use client";

import { useCommands } from "@/components/commands/command-handlers";
import { setAnalysis } from "@/components/history/analysis/model/analysis-state";
import { type PlayerCommand } from "@/components/history/playback/player-keys";

type Props = {
  run: (command: PlayerCommand) => void;
  onVerify: () => void;
  /** Absent when the reader may not write. */
  onRestore: (() => void) | undefined;
  onBackToLive: () => void;
};

/** Registers the player's actions as commands. */
export function PlayerCommands({ run, onVerify, onRestore, onBackToLive }: Props) {
  useCommands({
    backToLive: onBackToLive,
    restore: onRestore,
    compare: () => run({ type: "COMPARE" }),
    goTo: () => run({ type: "GO_TO" }),
    versions: () => run({ type: "VERSIONS" }),
    copyLink: () => run({ type: "COPY_LINK" }),
    fork: onRestore && (() => run({ type: "FORK" })),
    authors: () => setAnalysis({ view: "authors" }),
    searchHistory: () => setAnalysis({ view: "search" }),
    changes: () => setAnalysis({ view: "account", since: null }),
    verify: onVerify,
  });
  return null;
}
