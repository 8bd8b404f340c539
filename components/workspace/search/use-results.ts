"use client";

import { useEffect, useRef, useState } from "react";
import { reportError } from "@/events/core/error-report";
import { StoreFault } from "@/events/log/store";
import { search } from "@/events/read-models/search";
import type { SearchAnswer } from "@/events/read-models/search";
import { useTab } from "@/components/session/backend-provider";
import { searchAddressIn, searchQueryOf, searchRequestOf } from "./search-address";
import type { SearchAddress } from "./search-address";

/** An answer and its query string. */
export type Found = { query: string; answer: SearchAnswer | null };
type Results = {
  /** The last answer, kept until the current one arrives. Null before the first answer. */
  found: Found | null;
  isBusy: boolean;
  failed: boolean;
  /** Repeats the search for at most this number of results. */
  ask: (most: number) => void;
};

/** The pause in typing after which a search starts, in ms. */
const pause = 150;

/** Returns the results of the search that `address` describes. */
export function useResults(
  workspaceId: string,
  address: SearchAddress,
  zone: string,
  initial: Found | null,
): Results {
  const { open } = useTab();
  const [found, setFound] = useState(initial);
  const [failed, setFailed] = useState(false);
  const [asked, setAsked] = useState({ query: initial?.query ?? null, most: 50, again: 0 });
  const query = searchQueryOf(address);
  const most = asked.query === query ? asked.most : 50;
  /** The query of the server-rendered answer, until another query is requested. */
  const brought = useRef(initial?.query ?? null);
  const hasWords = address.words.trim() !== "";
  useEffect(() => {
    const isThere = brought.current === query;
    brought.current = null;
    if (isThere || !hasWords) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      open()
        .then(({ backend }) =>
          search(backend.rows, workspaceId, {
            ...searchRequestOf(searchAddressIn(new URLSearchParams(query)), zone),
            most,
          }),
        )
        .then(
          (answer) => {
            if (!isCurrent) return;
            setFound({ query, answer });
            setFailed(false);
          },
          (fault: unknown) => {
            if (!(fault instanceof StoreFault)) reportError(fault, { during: "searching" });
            if (isCurrent) setFailed(true);
          },
        );
    }, pause);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [workspaceId, query, zone, most, asked.again, hasWords, open]);
  return {
    found: hasWords ? found : null,
    isBusy: hasWords && found?.query !== query && !failed,
    failed: hasWords && failed,
    ask: (wanted) => setAsked(({ again }) => ({ query, most: wanted, again: again + 1 })),
  };
}
