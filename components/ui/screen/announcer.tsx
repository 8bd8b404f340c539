"use client";

import { createContext, use, useCallback, useState } from "react";
import type { ReactNode } from "react";

const Context = createContext<(sentence: string) => void>(() => {});

/** Returns a function that announces a sentence politely to screen readers. */
export function useAnnounce(): (sentence: string) => void {
  return use(Context);
}

/** Renders the page's only polite live region. */
export function Announcer({ children }: { children: ReactNode }) {
  const [announced, setAnnounced] = useState({ count: 0, sentence: "" });
  const announce = useCallback(
    (sentence: string) => setAnnounced(({ count }) => ({ count: count + 1, sentence })),
    [],
  );
  return (
    <Context value={announce}>
      {children}
      <div className="sr" aria-live="polite">
        <p key={announced.count}>{announced.sentence}</p>
      </div>
    </Context>
  );
}
