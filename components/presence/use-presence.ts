"use client";

import { useCallback, useEffect, useState } from "react";
import type { PresenceState } from "@/events/realtime/presence-list";
import type { PresenceEvent } from "@/machines/presence/presence";
import { afterCritical } from "@/components/loading/after-critical";
import type { PresenceActor } from "./presence-signs";

type Presence = {
  /** The presence of this tab's person. Defaults to active until the watching code has loaded. */
  state: PresenceState;
  /** The person whose caret the view follows. */
  whom: string | null;
  send: (event: PresenceEvent) => void;
};

/** Returns the presence of this tab's person, and the person whom they follow. */
export function usePresence(): Presence {
  const [actor, setActor] = useState<PresenceActor | null>(null);
  const [shown, setShown] = useState<Pick<Presence, "state" | "whom">>({
    state: "active",
    whom: null,
  });
  useEffect(() => {
    let stop = () => {};
    let left = false;
    void afterCritical()
      .then(() => import("./presence-signs"))
      .then(({ watchPresence }) => {
        if (left) return;
        const watched = watchPresence();
        stop = watched.stop;
        setActor(watched.actor);
        const show = () => {
          const { value, context } = watched.actor.getSnapshot();
          setShown((before) =>
            before.state === value.awake && before.whom === context.whom
              ? before
              : { state: value.awake, whom: context.whom },
          );
        };
        watched.actor.subscribe(show);
        show();
      });
    return () => {
      left = true;
      stop();
    };
  }, []);
  const send = useCallback((event: PresenceEvent) => actor?.send(event), [actor]);
  return { ...shown, send };
}
