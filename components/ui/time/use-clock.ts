"use client";

import { useEffect, useState } from "react";
import { zoneCookie } from "./clock-cookie";

/** The present moment and the reader's time zone, as words about time need them. */
export type Clock = { now: number; zone: string };

/** The clock the server rendered with, then, once the page lives, the browser's own; it moves on every half minute. */
export function useClock(initial: Clock): Clock {
  const [clock, setClock] = useState(initial);
  useEffect(() => {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    document.cookie = `${zoneCookie}=${encodeURIComponent(zone)}; path=/; max-age=31536000; samesite=lax`;
    const tick = () => setClock({ now: Date.now(), zone });
    const first = setTimeout(tick);
    const timer = setInterval(() => {
      if (!document.hidden) tick();
    }, 30_000);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, []);
  return clock;
}
