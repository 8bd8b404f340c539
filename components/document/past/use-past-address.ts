"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { isNavigating, useIsNavigating } from "@/components/frame/documents/navigation-guard";
import { openingOf } from "@/components/history/playback/revision-address";
import type { CompareRequest } from "@/components/history/playback/revision-address";
import type { Opening } from "@/machines/replay/replay-opening";

type PastAddress = {
  /** What the URL requests. The object changes only for a new request. */
  opening: Opening & CompareRequest;
  /** Writes the query string of the shown revision to the URL. */
  show: (address: string) => void;
  /** Returns to the live text. */
  leave: () => void;
};

/** Returns what the URL requests. With reduced motion, nothing plays on its own. */
function openingIn(query: URLSearchParams): Opening & CompareRequest {
  const opening = openingOf(query);
  return {
    ...opening,
    play: opening.play && !matchMedia("(prefers-reduced-motion: reduce)").matches,
  };
}

/**
 * Synchronizes the URL and the player. The router reports a written URL as `query` only after
 * rendering it. If a later URL was written by then, the router briefly restores the older one.
 * Therefore only a query that was not written here is a request of the reader.
 */
export function usePastAddress(query: URLSearchParams): PastAddress {
  const [opening, setOpening] = useState(() => openingIn(query));
  // The query that the router has rendered, and the queries written since.
  const known = useRef([query.toString()]);
  const leaving = useRef(false);
  useIsNavigating();
  const show = useCallback((address: string) => {
    // The page follows the URL a moment later. A revision that is shown meanwhile must not write
    // its query back into the URL.
    if (leaving.current || isNavigating()) return;
    known.current.push(new URLSearchParams(address).toString());
    history.replaceState(null, "", address);
  }, []);
  const leave = useCallback(() => {
    leaving.current = true;
    history.pushState(null, "", location.pathname);
  }, []);
  useEffect(() => {
    if (leaving.current) return;
    const rendered = query.toString();
    const at = known.current.indexOf(rendered);
    known.current = at < 0 ? [rendered] : known.current.slice(at);
    if (at < 0) setOpening(openingIn(query));
  }, [query]);
  return { opening, show, leave };
}
