"use client";

import { useEffect, useRef, useSyncExternalStore } from "react";
import type { CommandId } from "./commands";

/** The handlers of the offered commands. */
export type CommandHandlers = Partial<Record<CommandId, (() => void) | undefined>>;

/** The handlers of each component that offers commands; the latest one wins. */
const parts: { current: CommandHandlers }[] = [];

const none: ReadonlySet<string> = new Set();
let offered = none;
const listeners = new Set<() => void>();

/** The current handler of a command; undefined when this page does not offer it. */
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
 * The ids of the commands that this page offers now, including those of components that mount
 * later.
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
