"use client";

import { useMemo, useState } from "react";
import type { Shown } from "./thread-list";

/**
 * The active thread, the number of focus requests (0: none), and whether its reply field takes the
 * focus.
 */
type Active = { id: string | null; focusRequests: number; answering: boolean };

/** The list that is shown, its active thread, and the ways to change both. */
export type SelectedThread = {
  filter: Shown;
  setFilter: (filter: Shown) => void;
  active: Active;
  /** Activates a thread, which leaves the focus where it is. */
  activate: (id: string) => void;
  /** Activates a thread, or its reply field, and moves the focus there. */
  focus: (id: string, answering?: boolean) => void;
  clear: () => void;
};

const none: Active = { id: null, focusRequests: 0, answering: false };

/** Which thread of a document is active, and whether open or resolved threads are listed. */
export function useSelectedThread(): SelectedThread {
  const [filter, setFilter] = useState<Shown>("open");
  const [active, setActive] = useState<Active>(none);
  return useMemo(
    () => ({
      filter,
      setFilter,
      active,
      activate: (id) => setActive({ ...none, id }),
      focus: (id, answering = false) =>
        setActive(({ focusRequests }) => ({ id, focusRequests: focusRequests + 1, answering })),
      clear: () => setActive(none),
    }),
    [filter, active],
  );
}
