"use client";

import { useEffect, useState } from "react";

const queries = [
  "(prefers-color-scheme: dark)",
  "(forced-colors: active)",
  "(min-resolution: 1.5dppx)",
];

/** Returns a counter that changes whenever a painting with theme colours must be redrawn. */
export function usePaintedTheme(): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const again = () => setCount((before) => before + 1);
    const media = queries.map((query) => matchMedia(query));
    const observer = new MutationObserver(again);
    observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    for (const each of media) each.addEventListener("change", again);
    return () => {
      observer.disconnect();
      for (const each of media) each.removeEventListener("change", again);
    };
  }, []);
  return count;
}
