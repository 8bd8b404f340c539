"use client";

import { useActorRef, useSelector } from "@xstate/react";
import { useEffect, useRef } from "react";
import { systemClock, systemRandom } from "@/events/core/clock";
import { pageBackground } from "@/events/worker/page-background";
import { readTimeline } from "@/events/worker/history";
import { retryingSource } from "@/events/worker/retrying-source";
import type { Store } from "@/events/log/store";
import { replayMachine } from "@/machines/replay/replay";
import { askRelease } from "@/components/loading/release";
import type { ReplayActor } from "@/components/history/playback/replay-context";
import type { Opening } from "@/machines/replay/replay-opening";

type Input = {
  documentId: string;
  store: Pick<Store, "read">;
  opening: Opening;
};

const clock = { now: () => performance.now() };

/**
 * Runs the replay of one document. Reads the history, ticks on each animation frame while it plays,
 * and pauses in a hidden tab.
 */
export function useReplay({ documentId, store, opening }: Input): ReplayActor {
  const actor = useActorRef(replayMachine, {
    input: {
      clock,
      opening,
      load: (signal, onProgress, onPrefix) =>
        readTimeline({
          source: retryingSource(store, { clock: systemClock, random: systemRandom, signal }),
          documentId,
          signal,
          onProgress,
          onPrefix,
          derive: () => pageBackground.deriver(),
        }),
    },
  });
  // After the worker is lost, the page derives the history itself. If a new release has removed the
  // worker's code, it will never load again.
  useEffect(() => pageBackground.onLost(() => void askRelease()), []);
  const { send } = actor;
  const playing = useSelector(actor, (snapshot) => snapshot.hasTag("playing"));
  useEffect(() => {
    if (!playing) return;
    let frame = requestAnimationFrame(function tick() {
      send({ type: "tick" });
      frame = requestAnimationFrame(tick);
    });
    return () => cancelAnimationFrame(frame);
  }, [playing, send]);
  useEffect(() => {
    const pause = () => document.hidden && send({ type: "pause" });
    document.addEventListener("visibilitychange", pause);
    return () => document.removeEventListener("visibilitychange", pause);
  }, [send]);
  const followed = useRef(opening);
  useEffect(() => {
    if (followed.current === opening) return;
    followed.current = opening;
    if (opening.at) send({ type: "at", at: opening.at });
  }, [opening, send]);
  return actor;
}
