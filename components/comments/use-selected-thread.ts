"use client";

import { useMemo, useState } from "react";
import type { Shown } from "./thread-list";

/**
 * The active thread, and the number of focus requests (0 for none). `answering` moves the focus to
 * the reply field.
 */
type Active = { id: string | null; focusRequests: number; answering: boolean };

/** The shown list, its active thread, and the functions that change both. */
export type SelectedThread = {
  filter: Shown;
  setFilter: (filter: Shown) => void;
  active: Active;
  /** Activates a thread without moving the focus. */
  activate: (id: string) => void;
  /** Activates a thread and moves the focus to the thread or to its reply field. */
  focus: (id: string, answering?: boolean) => void;
  clear: () => void;
};

const none: Active = { id: null, focusRequests: 0, answering: false };

/** Holds which thread of a document is active, and whether open or resolved threads are listed. */
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
