"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { isNavigating, useIsNavigating } from "@/components/frame/documents/navigation-guard";
import { type CompareRequest, openingOf } from "@/components/history/playback/revision-address";
import type { Opening } from "@/machines/replay/replay-opening";

type PastAddress = {
  /** What the address asks the player for: another object only where somebody asked for something else. */
  opening: Opening & CompareRequest;
  /** Writes the address of the revision that is shown, from its question mark on. */
  show: (address: string) => void;
  /** Goes back to the present. */
  leave: () => void;
};

/** What the address asks for; where nobody wants things to move, nothing plays by itself. */
function openingIn(query: URLSearchParams): Opening & CompareRequest {
  const opening = openingOf(query);
  return {
    ...opening,
    play: opening.play && !matchMedia("(prefers-reduced-motion: reduce)").matches,
  };
}

/**
 * Keeps the address and the player together. The router gives an address that is written here back
 * as `query` only when it has rendered it, which may be after the next one was written, and then
 * puts the older one into the bar for a moment. So neither says by itself where the reader wants to
 * be: only a query that was not written here does.
 */
export function usePastAddress(query: URLSearchParams): PastAddress {
  const [opening, setOpening] = useState(() => openingIn(query));
  // The query that the router has rendered, and those written since.
  const known = useRef([query.toString()]);
  const leaving = useRef(false);
  useIsNavigating();
  const show = useCallback((address: string) => {
    // The page follows the address a moment later; a moment told in between must not write the past back into it.
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
