"use client";

import { useEffect } from "react";

/** Toggles full screen. */
export function toggleFullScreen(): void {
  const done =
    document.fullscreenElement === null
      ? document.documentElement.requestFullscreen()
      : document.exitFullscreen();
  // If the browser refuses, the page stays as it is.
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
