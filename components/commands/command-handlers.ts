"use client";

import { useEffect, useRef, useSyncExternalStore } from "react";
import type { CommandId } from "./commands";

/** The handlers of the commands that a component offers. */
export type CommandHandlers = Partial<Record<CommandId, (() => void) | undefined>>;

/** The handlers of each component that offers commands. The latest handler of a command wins. */
const parts: { current: CommandHandlers }[] = [];

const none: ReadonlySet<string> = new Set();
let offered = none;
const listeners = new Set<() => void>();

/** Returns the handler of a command, or undefined if this page does not offer the command. */
export function handlerOf(id: CommandId): (() => void) | undefined {
  return parts.findLast(({ current }) => current[id] !== undefined)?.current[id];
}

/** Offers commands while the component is mounted. */
export function useCommands(handlers: CommandHandlers): void {
  const held = useRef(handlers);
  useEffect(() => {
    held.current = handlers;
    publish();
  });
  useEffect(() => {
    const part = held;
    parts.push(part);
    publish();
    return () => {
      parts.splice(parts.indexOf(part), 1);
      publish();
    };
  }, []);
}

/**
 * Returns the ids of the commands that this page offers now, and updates as components mount and
 * unmount.
 */
export function useOfferedCommands(): ReadonlySet<string> {
  return useSyncExternalStore(
    subscribe,
    () => offered,
    () => none,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function publish(): void {
  const ids = parts.flatMap(({ current }) =>
    Object.entries(current).flatMap(([id, run]) => (run === undefined ? [] : [id])),
  );
  const now = new Set(ids);
  if (now.size === offered.size && ids.every((id) => offered.has(id))) return;
  offered = now;
  for (const listener of listeners) listener();
}
