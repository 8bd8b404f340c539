"use client";

import { useEffect, useState } from "react";
import type { PointerEvent } from "react";

type Input = {
  /** The shown revision. */
  index: number;
  playing: boolean;
};

/** The place of the card: under the pointer, as a fraction of the width, or at the playhead. */
type CardPlace = { at: "pointer"; position: number } | { at: "head"; byKey: boolean };

/**
 * Returns when and where the card of the timeline bar is shown: under a resting mouse, or at the
 * playhead during a touch drag or keyboard moves. Escape closes only the card.
 */
export function useTimelineCard({ index, playing }: Input) {
  const [place, setPlace] = useState<CardPlace | null>(null);
  const [byKey, setByKey] = useState(false);
  const [focused, setFocused] = useState(false);
  const [seen, setSeen] = useState(index);
  if (seen !== index) {
    setSeen(index);
    if (byKey && focused) setPlace(playing ? null : { at: "head", byKey: true });
  }
  useEffect(() => {
    const stop = new AbortController();
    const options = { capture: true, signal: stop.signal };
    addEventListener("keydown", () => setByKey(true), options);
    addEventListener("pointerdown", () => setByKey(false), options);
    return () => stop.abort();
  }, []);
  const shown = place !== null;
  useEffect(() => {
    if (!shown) return;
    const hide = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      // Stops the event before it reaches the player, for which Escape means to leave the past.
      event.stopPropagation();
      event.preventDefault();
      setPlace(null);
    };
    addEventListener("keydown", hide, { capture: true });
    return () => removeEventListener("keydown", hide, { capture: true });
  }, [shown]);
  const under = (event: PointerEvent<HTMLElement>) => {
    if (event.pointerType !== "mouse") return;
    const box = event.currentTarget.getBoundingClientRect();
    setPlace({
      at: "pointer",
      position: Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)),
    });
  };
  const leave = () => setPlace(null);
  return {
    place,
    track: {
      onPointerMove: under,
      onPointerDown: (event: PointerEvent<HTMLElement>) =>
        event.pointerType !== "mouse" && setPlace({ at: "head", byKey: false }),
      onPointerUp: (event: PointerEvent<HTMLElement>) => event.pointerType !== "mouse" && leave(),
      onPointerCancel: leave,
      onPointerLeave: leave,
    },
    thumb: {
      onFocus: () => setFocused(true),
      onBlur: () => {
        setFocused(false);
        leave();
      },
    },
  };
}
