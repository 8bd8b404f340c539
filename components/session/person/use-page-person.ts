"use client";

import { useEffect, useSyncExternalStore } from "react";
import { pagePerson } from "./page-person";

/**
 * Binds this page to one person until the page is reloaded. If the page was fetched for another
 * person, because the session was replaced meanwhile, it reloads before anything is typed.
 */
export function usePersonOfPage(userId: string): void {
  useEffect(() => {
    if (!pagePerson.claim(userId)) location.reload();
  }, [userId]);
}

const subscribe = (listener: () => void) => pagePerson.onClaimed(listener);

/** Returns the page's person, or null on the server and until the person is known. */
export function usePagePerson(): string | null {
  return useSyncExternalStore(
    subscribe,
    () => pagePerson.id,
    () => null,
  );
}
