"use client";

import { useSelector } from "@xstate/react";
import { createContext, use } from "react";
import type { ActorRefFrom, SnapshotFrom } from "xstate";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { replayMachine } from "@/machines/replay/replay";

export type ReplayActor = ActorRefFrom<typeof replayMachine>;
type ReplaySnapshot = SnapshotFrom<typeof replayMachine>;

export const ReplayContext = createContext<ReplayActor | null>(null);

/** Returns the surrounding player's replay. The actor is stable: read its snapshot when needed. */
export function useReplayActor(): ReplayActor {
  const actor = use(ReplayContext);
  if (!actor) throw new Error("`useReplayActor` must be used inside a player");
  return actor;
}

/**
 * Returns a value of the surrounding replay. Playing changes the replay on every animation frame,
 * but the component renders only when the value changes.
 */
export function useReplayValue<Value>(
  select: (snapshot: ReplaySnapshot) => Value,
  isSame?: (one: Value, other: Value) => boolean,
): Value {
  return useSelector(useReplayActor(), select, isSame);
}

/** Returns the shown revision. */
export function useRevisionIndex(): number {
  return useReplayValue(({ context }) => context.index);
}

/** Returns the whole history or, until it has loaded, the prefix if the reader navigated in it. */
export function shownOf({
  open,
  prefix,
}: Pick<ReplaySnapshot["context"], "open" | "prefix">): Timeline | null {
  return open?.timeline ?? (prefix?.sought ? prefix.timeline : null);
}

/** Returns the revision that a replay shows now. */
export function indexNow(actor: Pick<ReplayActor, "getSnapshot">): number {
  return actor.getSnapshot().context.index;
}
