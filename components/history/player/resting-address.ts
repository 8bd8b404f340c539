"use client";

import { useEffect } from "react";
import type { Span } from "@/events/history/timeline/timing-map";
import type { Timeline } from "@/events/history/timeline/timeline";
import { addressAt } from "@/machines/replay/replay-opening";
import { compareAddress } from "@/components/history/compare/use-compare";
import { useReplayValue } from "@/components/history/playback/replay-context";
import type { ReplayActor } from "@/components/history/playback/replay-context";
import { addressOf } from "@/components/history/playback/revision-address";

type Shown = Pick<ReturnType<ReplayActor["getSnapshot"]>["context"], "open" | "index" | "range">;

const settleDelay = 250;

/**
 * Returns the query string of the shown revision. `other` is the compared revision. Returns null
 * until a history is open.
 */
export function addressOfShown({ open, index, range }: Shown, other: number | null): string | null {
  if (!open) return null;
  const { timeline } = open;
  return other === null
    ? addressShown(timeline, index, range)
    : compareAddress(timeline, index, other);
}

type Props = {
  /** The compared revision. */
  other: number | null;
  onRevision: (address: string) => void;
};

/** Reports the query string of the shown revision once the player has settled. */
export function RestingAddress({ other, onRevision }: Props): null {
  const address = useReplayValue((snapshot) =>
    snapshot.hasTag("playing") ? null : addressOfShown(snapshot.context, other),
  );
  useEffect(() => {
    if (address === null) return;
    const timer = setTimeout(() => onRevision(address), settleDelay);
    return () => clearTimeout(timer);
  }, [address, onRevision]);
  return null;
}

function addressShown(timeline: Timeline, index: number, range: Span | null): string {
  return addressOf({
    at: addressAt(timeline, index),
    range: range && { from: addressAt(timeline, range.from), to: addressAt(timeline, range.to) },
  });
}
