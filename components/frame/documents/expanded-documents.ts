import { useCallback, useSyncExternalStore } from "react";

/**
 * The state of the tree: the documents expanded on this device (`opened`), and those collapsed on
 * this page (`closed`).
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
    // Storage may be forbidden. Each page then starts with a collapsed tree.
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
    // If storage is full or forbidden, the change lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Returns whether a document is expanded in the tree. The documents in `revealed` are expanded
 * unless the reader collapses them on this page.
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
