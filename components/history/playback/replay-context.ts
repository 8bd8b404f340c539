"use client";

import { useSelector } from "@xstate/react";
import { createContext, use } from "react";
import type { ActorRefFrom, SnapshotFrom } from "xstate";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { replayMachine } from "@/machines/replay/replay";

export type ReplayActor = ActorRefFrom<typeof replayMachine>;
type ReplaySnapshot = SnapshotFrom<typeof replayMachine>;

export const ReplayContext = createContext<ReplayActor | null>(null);

/** The replay around the component: it does not change, and is asked where it stands when that is needed. */
export function useReplayActor(): ReplayActor {
  const actor = use(ReplayContext);
  if (!actor) throw new Error("useReplayActor is for the parts of a player");
  return actor;
}

/**
 * A value of the replay around the component. Every animation frame changes the replay while it plays; the component
 * renders again only when the value has changed.
 */
export function useReplayValue<Value>(
  select: (snapshot: ReplaySnapshot) => Value,
  isSame?: (one: Value, other: Value) => boolean,
): Value {
  return useSelector(useReplayActor(), select, isSame);
}

/** The revision that is shown. */
export function useRevisionIndex(): number {
  return useReplayValue(({ context }) => context.index);
}

/** The history that is shown: the whole one, or its beginning once the reader has asked for something in it. */
export function shownOf({
  open,
  prefix,
}: Pick<ReplaySnapshot["context"], "open" | "prefix">): Timeline | null {
  return open?.timeline ?? (prefix?.sought ? prefix.timeline : null);
}

/** The revision that a replay shows at this moment. */
export function indexNow(actor: Pick<ReplayActor, "getSnapshot">): number {
  return actor.getSnapshot().context.index;
}
