"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect } from "react";

/** The path that the tab leaves, set from the request of another page until that page is shown. */
let leaving: string | null = null;

/** Whether another page was requested and is not shown yet. */
export function isNavigating(): boolean {
  return leaving === location.pathname;
}

/** Returns a function that navigates to a path of the product. */
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
 * Makes `isNavigating` include navigation by links, for a page that writes its own URL. If a URL is
 * written during a navigation, the router abandons the requested page.
 */
export function useIsNavigating(): void {
  useEffect(() => {
    leaving = null;
    document.addEventListener("click", follow, { capture: true });
    return () => document.removeEventListener("click", follow, { capture: true });
  }, []);
}
