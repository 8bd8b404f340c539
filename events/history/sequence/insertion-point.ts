import { none } from "./token-ids";
import type { TokenIds } from "./token-ids";

/** Tokens in order, each with the neighbours that its writer saw. */
type Placed = {
  next: Int32Array;
  origin: Int32Array;
  right: Int32Array;
  ids: TokenIds;
  head(list: number): number;
};

/** Returns the token after which to insert a new one, by Yjs's rule for concurrent insertions. */
export function insertionPoint(
  placed: Placed,
  number: number,
  list: number,
  origin: number,
  right: number,
): number {
  let left = origin;
  let at = left === none ? placed.head(list) : (placed.next[left] ?? none);
  if (at === right) return left;
  const client = placed.ids.clients[number]?.client ?? 0;
  const passed = new Set<number>();
  const conflicting = new Set<number>();
  for (; at !== none && at !== right; at = placed.next[at] ?? none) {
    passed.add(at);
    conflicting.add(at);
    const its = placed.origin[at] ?? none;
    if (its === origin) {
      if ((placed.ids.clients[placed.ids.idOf(at).number]?.client ?? 0) < client) {
        left = at;
        conflicting.clear();
      } else if (placed.right[at] === right) break;
    } else if (its !== none && passed.has(its)) {
      if (!conflicting.has(its)) {
        left = at;
        conflicting.clear();
      }
    } else break;
  }
  return left;
}
