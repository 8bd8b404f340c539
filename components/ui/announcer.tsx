"use client";

import { createContext, use, useCallback, useState, type ReactNode } from "react";

const Context = createContext<(sentence: string) => void>(() => {});

/** Gives the function that tells a screen reader, politely, what has just happened. */
export function useAnnounce(): (sentence: string) => void {
  return use(Context);
}

/** Holds the page's one polite live region. */
export function Announcer({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState({ count: 0, sentence: "" });
  const say = useCallback(
    (sentence: string) => setSaid(({ count }) => ({ count: count + 1, sentence })),
    [],
  );
  return (
    <Context value={say}>
      {children}
      <div className="sr" aria-live="polite">
        <p key={said.count}>{said.sentence}</p>
      </div>
    </Context>
  );
}
