"use client";

import { useEffect, useState } from "react";

const settled = 3_000;

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Without storage, no comment counts as new, because otherwise every comment always would.
    return null;
  }
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Without storage, the next visit marks the same comments as new again. Nothing is lost.
  }
}

/**
 * Returns the time up to which this reader has seen a document's comments in this browser. Later
 * comments are new. The time advances only after the reader has looked at the comments for a while,
 * so that marks do not vanish while they are read.
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
