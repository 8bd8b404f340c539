"use client";

import { useEffect, useRef } from "react";
import type { CommandId } from "./commands";

/** What the commands do where they are offered. */
export type CommandHandlers = Partial<Record<CommandId, (() => void) | undefined>>;

/** One for each part of the page that offers commands; of two that offer the same, the later holds. */
const parts: { current: CommandHandlers }[] = [];

/** What a command does on this page now; undefined where nothing on it offers the command. */
export function handlerOf(id: CommandId): (() => void) | undefined {
  return parts.findLast(({ current }) => current[id] !== undefined)?.current[id];
}

/** Offers commands for as long as the component is shown. */
export function useCommands(handlers: CommandHandlers): void {
  const held = useRef(handlers);
  useEffect(() => {
    held.current = handlers;
  });
  useEffect(() => {
    const part = held;
    parts.push(part);
    return () => void parts.splice(parts.indexOf(part), 1);
  }, []);
}
