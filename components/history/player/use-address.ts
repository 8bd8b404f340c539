"use client";

import { useEffect } from "react";
import { type Span } from "@/events/history/timeline/timing-map";
import { type Timeline } from "@/events/history/timeline/timeline";
import { addressAt } from "@/machines/replay/replay-opening";
import { compareAddress } from "@/components/history/compare/use-compare";
import { addressOf } from "@/components/history/playback/revision-address";

type Input = {
  timeline: Timeline | null;
  index: number;
  range: Span | null;
  /** The revision that is compared with. */
  other: number | null;
  playing: boolean;
  onRevision: ((address: string) => void) | undefined;
};

const settleDelay = 250;

/** The address of what is shown; told on whenever it has come to rest. */
export function useAddress({
  timeline,
  index,
  range,
  other,
  playing,
  onRevision,
}: Input): string | null {
  const address =
    timeline &&
    (other === null
      ? addressShown(timeline, index, range)
      : compareAddress(timeline, index, other));
  useEffect(() => {
    if (playing || address === null) return;
    const timer = setTimeout(() => onRevision?.(address), settleDelay);
    return () => clearTimeout(timer);
  }, [playing, address, onRevision]);
  return address;
}

function addressShown(timeline: Timeline, index: number, range: Span | null): string {
  return addressOf({
    at: addressAt(timeline, index),
    range: range && { from: addressAt(timeline, range.from), to: addressAt(timeline, range.to) },
  });
}
