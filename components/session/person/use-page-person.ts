"use client";

import { useEffect, useSyncExternalStore } from "react";
import { pagePerson } from "./page-person";

/**
 * Makes this page one person's, from the first thing that it shows of them until it is loaded again. A page that was
 * fetched for another person, because the session was replaced meanwhile, is loaded again before anything is typed.
 */
export function usePersonOfPage(userId: string): void {
  useEffect(() => {
    if (!pagePerson.claim(userId)) location.reload();
  }, [userId]);
}

const subscribe = (listener: () => void) => pagePerson.onClaimed(listener);

/** Whose page this is; null before that is known, and on the server. */
export function usePagePerson(): string | null {
  return useSyncExternalStore(
    subscribe,
    () => pagePerson.id,
    () => null,
  );
}
