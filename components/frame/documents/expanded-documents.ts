import { useCallback, useSyncExternalStore } from "react";

/**
 * The expanded documents of the tree: those expanded on this device, and those collapsed on this
 * page.
 */
type Expanded = { opened: ReadonlySet<string>; closed: ReadonlySet<string> };

const nothing: Expanded = { opened: new Set(), closed: new Set() };
const most = 2000;
const listeners = new Set<() => void>();
const known = new Map<string, Expanded>();
const keyOf = (workspace: string) => `palimpsest-tree-${workspace}`;

function expandedIn(workspace: string): Expanded {
  const before = known.get(workspace);
  if (before) return before;
  let opened: string[] = [];
  try {
    opened = (localStorage.getItem(keyOf(workspace)) ?? "").split(" ").filter(Boolean);
  } catch {
    // Storage may be forbidden; then each page starts with a collapsed tree.
  }
  const read = { opened: new Set(opened), closed: new Set<string>() };
  known.set(workspace, read);
  return read;
}

/** Expands or collapses documents in the tree of this device. */
export function setExpanded(workspace: string, ids: readonly string[], open: boolean): void {
  const { opened, closed } = expandedIn(workspace);
  const others = (set: ReadonlySet<string>) => [...set].filter((id) => !ids.includes(id));
  const next = {
    opened: new Set(open ? [...others(opened), ...ids].slice(-most) : others(opened)),
    closed: new Set(open ? others(closed) : [...closed, ...ids]),
  };
  known.set(workspace, next);
  try {
    localStorage.setItem(keyOf(workspace), [...next.opened].join(" "));
  } catch {
    // Storage is full or forbidden: the change lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Whether a document is expanded in the tree; those in `revealed` are unless the reader collapses
 * them here.
 */
export function useExpanded(workspace: string, revealed: string): (id: string) => boolean {
  const { opened, closed } = useSyncExternalStore(
    subscribe,
    () => expandedIn(workspace),
    () => nothing,
  );
  return useCallback(
    (id) => opened.has(id) || (revealed.includes(id) && !closed.has(id)),
    [opened, closed, revealed],
  );
}
