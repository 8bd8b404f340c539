"use client";

import { useEffect, useRef, useSyncExternalStore } from "react";
import type { CommandId } from "./commands";

/** What the commands do where they are offered. */
export type CommandHandlers = Partial<Record<CommandId, (() => void) | undefined>>;

/** One for each part of the page that offers commands; of two that offer the same, the later holds. */
const parts: { current: CommandHandlers }[] = [];

const none: ReadonlySet<string> = new Set();
let offered = none;
const listeners = new Set<() => void>();

/** What a command does on this page now; undefined where nothing on it offers the command. */
export function handlerOf(id: CommandId): (() => void) | undefined {
  return parts.findLast(({ current }) => current[id] !== undefined)?.current[id];
}

/** Offers commands for as long as the component is shown. */
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

/** The ids of the commands that are offered on this page now, also by a part that comes later. */
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
