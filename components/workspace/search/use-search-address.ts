"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import { isNavigating, useIsNavigating } from "@/components/frame/documents/navigation-guard";
import { searchAddressIn, searchQueryOf } from "./search-address";
import type { SearchAddress } from "./search-address";

/**
 * Synchronizes the URL and the search. The router reports a written URL only after rendering it, so
 * only a URL that was not written here is a new request.
 */
export function useSearchAddress(): [SearchAddress, (change: Partial<SearchAddress>) => void] {
  const query = useSearchParams().toString();
  const [address, setAddress] = useState(() => searchAddressIn(new URLSearchParams(query)));
  const known = useRef([query]);
  useIsNavigating();
  useEffect(() => {
    const at = known.current.indexOf(query);
    known.current = at < 0 ? [query] : known.current.slice(at);
    if (at < 0) setAddress(searchAddressIn(new URLSearchParams(query)));
  }, [query]);
  const change = useCallback(
    (part: Partial<SearchAddress>) => {
      const next = { ...address, ...part };
      setAddress(next);
      if (isNavigating()) return;
      const written = searchQueryOf(next);
      known.current.push(new URLSearchParams(written).toString());
      history.replaceState(null, "", `${location.pathname}${written}`);
    },
    [address],
  );
  return [address, change];
}
