"use client";

import { useEffect, useSyncExternalStore } from "react";
import { pagePerson } from "./page-person";

/**
 * Binds this page to one person until it is reloaded. A page that was fetched for another person,
 * because the session was replaced meanwhile, reloads before anything is typed.
 */
export function usePersonOfPage(userId: string): void {
  useEffect(() => {
    if (!pagePerson.claim(userId)) location.reload();
  }, [userId]);
}

const subscribe = (listener: () => void) => pagePerson.onClaimed(listener);

/** The page's person; null until known, and on the server. */
export function usePagePerson(): string | null {
  return useSyncExternalStore(
    subscribe,
    () => pagePerson.id,
    () => null,
  );
}
