"use client";

import { useEffect, useState } from "react";

const settled = 3_000;

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Without storage, nothing is new: better than everything being new for ever.
    return null;
  }
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The next visit will call the same comments new again; nothing is lost.
  }
}

/**
 * Up to when this reader, and not whoever else uses this browser, had seen the comments of a
 * document in it; what is newer is new. It stays as it was while they look, so that a sign does not
 * vanish under their eyes, and moves on after they have looked for a while.
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
