"use client";

import { useEffect, useState } from "react";

const settled = 3_000;

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Without storage nothing counts as new, rather than everything always.
    return null;
  }
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The next visit marks the same comments as new again; nothing is lost.
  }
}

/**
 * The time up to which this reader has seen a document's comments in this browser; later comments
 * are new. It does not change while the reader looks at them, so that a mark does not vanish under
 * their eyes, and advances after they have looked for a while.
 */
export function useSeen(
  userId: string,
  documentId: string,
  newest: string | null,
  looking: boolean,
): string | null {
  const key = `palimpsest.comments.${userId}.${documentId}`;
  const [seen, setSeen] = useState(() => stored(key) ?? newest);
  useEffect(() => {
    if (newest === null) return;
    if (stored(key) === null) store(key, newest);
    if (!looking || document.hidden) return;
    const timer = setTimeout(() => store(key, newest), settled);
    return () => clearTimeout(timer);
  }, [key, newest, looking]);
  useEffect(() => {
    if (!looking) return;
    return () => setSeen(stored(key));
  }, [key, looking]);
  return seen;
}
