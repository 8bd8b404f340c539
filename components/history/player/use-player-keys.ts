"use client";

import { type KeyboardEvent, type RefObject } from "react";
import { type Speed } from "@/machines/replay/replay-opening";
import { commandOf, type PlayerCommand } from "@/components/history/playback/player-keys";

type Input = {
  /** Where the player stands; null while nothing is open. */
  at: { playing: boolean; last: number; speed: Speed } | null;
  /** Whether a dialog asks for the keys. */
  busy: boolean;
  controlBar: RefObject<HTMLElement | null>;
  run: (command: PlayerCommand) => void;
};

/** Whether a control wants this key for itself. */
function handlesKey(target: HTMLElement, key: string): boolean {
  // The tree of pages is no part of the player, whatever stands around both.
  if (target.closest("[data-own-keys], nav")) return true;
  if (target.matches("input[type=radio]")) return key === " " || key.startsWith("Arrow");
  if (
    target.closest(
      "input, textarea, [role=combobox], [role=menu], [role=listbox], [contenteditable=true]",
    )
  )
    return true;
  if (target.closest("button, a") && (key === " " || key === "Enter")) return true;
  if (key.startsWith("Arrow") && target.closest("[data-own-arrows]")) return true;
  // In the text these scroll; on the slider they move it.
  return /^(Arrow|Page)(Up|Down)$/.test(key) && target.role !== "slider";
}

/** The button of the control bar that names this letter as its key. */
function buttonFor(key: string, controlBar: HTMLElement | null): HTMLElement | null {
  return /^[a-z]$/i.test(key)
    ? (controlBar?.querySelector<HTMLElement>(`button[aria-keyshortcuts="${key.toUpperCase()}"]`) ??
        null)
    : null;
}

/** Listens for the player's keys on everything the player has put on the page. */
export function usePlayerKeys({ at, busy, controlBar, run }: Input) {
  return (event: KeyboardEvent<HTMLElement>) => {
    const { target, currentTarget, nativeEvent, key } = event;
    // What stands in a portal reaches this by React alone.
    if (
      !at ||
      busy ||
      !(target instanceof HTMLElement) ||
      !currentTarget.contains(target) ||
      handlesKey(target, key)
    )
      return;
    const command = commandOf(
      {
        key,
        code: nativeEvent.code,
        shiftKey: event.shiftKey,
        ctrlKey: event.ctrlKey,
        metaKey: event.metaKey,
        altKey: event.altKey,
        isComposing: nativeEvent.isComposing,
        altGraph: event.getModifierState("AltGraph"),
      },
      at,
    );
    const button =
      command || event.ctrlKey || event.metaKey || event.altKey
        ? null
        : buttonFor(key, controlBar.current);
    if (!command && !button) return;
    event.preventDefault();
    event.stopPropagation();
    if (command) run(command);
    else button?.click();
  };
}
