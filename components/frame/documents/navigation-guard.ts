"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect } from "react";

/** The path that is being left, from the moment somebody asks for another page until it is there. */
let leaving: string | null = null;

/** Whether another page has been asked for and is not there yet. */
export function isNavigating(): boolean {
  return leaving === location.pathname;
}

/** Goes to another page of the product by its path. */
export function useNavigate(): (path: string) => void {
  const router = useRouter();
  return useCallback(
    (path) => {
      leaving = location.pathname;
      router.push(path);
    },
    [router],
  );
}

function follow(event: MouseEvent): void {
  const plain =
    event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!plain || !link || link.target === "_blank" || link.hasAttribute("download")) return;
  if (link.origin === location.origin && link.pathname !== location.pathname)
    leaving = location.pathname;
}

/**
 * Lets `isNavigating` know of links too, for a page that writes its own address: the router takes
 * an address written while another page is under way for where somebody now wants to be, and gives
 * that page up.
 */
export function useIsNavigating(): void {
  useEffect(() => {
    leaving = null;
    document.addEventListener("click", follow, { capture: true });
    return () => document.removeEventListener("click", follow, { capture: true });
  }, []);
}
