"use client";

import { useEffect, useRef } from "react";
import type { KeyboardEvent as ReactKeyboardEvent, RefObject } from "react";
import type { Speed } from "@/machines/replay/replay-opening";
import { commandOf } from "@/components/history/playback/player-keys";
import type { PlayerCommand } from "@/components/history/playback/player-keys";

type Input = {
  /** The player's state, or null until a history is open. */
  at: { playing: boolean; last: number; speed: Speed } | null;
  /** Whether an open dialog handles the keys. */
  busy: boolean;
  controlBar: RefObject<HTMLElement | null>;
  run: (command: PlayerCommand) => void;
};

/** Whether a control handles this key itself. */
function handlesKey(target: HTMLElement, key: string): boolean {
  // The sidebar is not part of the player, wherever its element is in the DOM.
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
  // In the text these keys scroll, and on the slider they move its thumb.
  return /^(Arrow|Page)(Up|Down)$/.test(key) && target.role !== "slider";
}

/** Returns the button of the control bar with this letter as its shortcut. */
function buttonFor(key: string, controlBar: HTMLElement | null): HTMLElement | null {
  return /^[a-z]$/i.test(key)
    ? (controlBar?.querySelector<HTMLElement>(`button[aria-keyshortcuts="${key.toUpperCase()}"]`) ??
        null)
    : null;
}

/**
 * Whether nothing had the focus when a key was pressed, for example while the focused element is
 * being replaced.
 */
function isUnfocused(target: EventTarget | null): boolean {
  return target === document.body || target === document.documentElement;
}

/** Handles the player's keys on all of its elements, and when nothing has the focus. */
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
    // React also bubbles events from portals to this handler, which ignores them.
    if (target instanceof HTMLElement && currentTarget.contains(target))
      handle(input, nativeEvent, target);
  };
}

/** Runs the command of a key. Other keys are left to the page. */
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
