"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import { isNavigating, useIsNavigating } from "@/components/frame/documents/navigation-guard";
import { type SearchAddress, searchAddressIn, searchQueryOf } from "./search-address";

/**
 * Keeps the address and what is searched for together. The router gives an address that is written
 * here back only when it has rendered it: so only one that was not written here is news.
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
