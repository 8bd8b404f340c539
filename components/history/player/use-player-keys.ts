"use client";

import { type KeyboardEvent as ReactKeyboardEvent, type RefObject, useEffect, useRef } from "react";
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

/** Whether a key was pressed where nothing has the focus, as while what had it is being replaced. */
function isUnfocused(target: EventTarget | null): boolean {
  return target === document.body || target === document.documentElement;
}

/**
 * Listens for the player's keys on everything the player has put on the page, and where nothing has
 * the focus.
 */
export function usePlayerKeys(input: Input) {
  const latest = useRef(input);
  useEffect(() => {
    latest.current = input;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isUnfocused(event.target) && !event.defaultPrevented)
        handle(latest.current, event, document.body);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  return ({ target, currentTarget, nativeEvent }: ReactKeyboardEvent<HTMLElement>) => {
    // What stands in a portal reaches this by React alone.
    if (target instanceof HTMLElement && currentTarget.contains(target))
      handle(input, nativeEvent, target);
  };
}

/** Does what a key asks for; a key that the player does not know goes on to the page. */
function handle({ at, busy, controlBar, run }: Input, event: KeyboardEvent, target: HTMLElement) {
  const { key, code, shiftKey, ctrlKey, metaKey, altKey, isComposing } = event;
  if (!at || busy || handlesKey(target, key)) return;
  const altGraph = event.getModifierState("AltGraph");
  const command = commandOf(
    { key, code, shiftKey, ctrlKey, metaKey, altKey, isComposing, altGraph },
    at,
  );
  const button =
    command || ctrlKey || metaKey || altKey ? null : buttonFor(key, controlBar.current);
  if (!command && !button) return;
  event.preventDefault();
  event.stopPropagation();
  if (command) run(command);
  else button?.click();
}
