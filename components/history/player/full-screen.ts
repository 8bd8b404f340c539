"use client";

import { useEffect } from "react";

/** Toggles full screen. */
export function toggleFullScreen(): void {
  const done =
    document.fullscreenElement === null
      ? document.documentElement.requestFullscreen()
      : document.exitFullscreen();
  // A browser that refuses leaves the page as it is.
  done.catch(() => undefined);
}

/** Leaves full screen when the component unmounts. */
export function useFullScreenEnd(): void {
  useEffect(
    () => () =>
      void (document.fullscreenElement && document.exitFullscreen().catch(() => undefined)),
    [],
  );
}
