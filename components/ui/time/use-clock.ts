"use client";

import { useEffect, useState } from "react";
import { zoneCookie } from "./clock-cookie";

/** The current time and the reader's time zone, for relative times. */
export type Clock = { now: number; zone: string };

/** Returns the server's clock at first. Then returns the browser's, updated every half minute. */
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
