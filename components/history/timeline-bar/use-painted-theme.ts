"use client";

import { useEffect, useState } from "react";

const queries = [
  "(prefers-color-scheme: dark)",
  "(forced-colors: active)",
  "(min-resolution: 1.5dppx)",
];

/** A number that changes whenever what is painted from the theme's colours must be painted again. */
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
