"use client";

import { useEffect } from "react";

/** Puts the page on the full screen, or takes it off again. */
export function toggleFullScreen(): void {
  const done =
    document.fullscreenElement === null
      ? document.documentElement.requestFullscreen()
      : document.exitFullscreen();
  // A browser that does not allow it leaves the page as it is.
  done.catch(() => undefined);
}

/** Takes the page off the full screen once the component is gone. */
export function useFullScreenEnd(): void {
  useEffect(
    () => () =>
      void (document.fullscreenElement && document.exitFullscreen().catch(() => undefined)),
    [],
  );
}
