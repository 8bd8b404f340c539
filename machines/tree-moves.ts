import type { Move } from "./document-tree";

/** The children of each document in order. The key null is the top level. */
type Inside = ReadonlyMap<string | null, readonly { id: string; parent: string | null }[]>;

/** A document's place among its visible siblings. */
type Standing = { parent: string | null; before: readonly string[]; behind: readonly string[] };

function standingOf(inside: Inside, id: string): Standing | null {
  for (const [parent, list] of inside) {
    const at = list.findIndex((each) => each.id === id);
    if (at < 0) continue;
    const ids = list.map((each) => each.id);
    return { parent, before: ids.slice(0, at), behind: ids.slice(at + 1) };
  }
  return null;
}

/** Returns the move that puts a document back in its current place. */
export function placeOf(inside: Inside, id: string): Move {
  const { parent, before } = standingOf(inside, id) ?? { parent: null, before: [] };
  return { parent, after: before.at(-1) ?? null };
}

/** Returns the place immediately after a document. */
export function placeBehind(inside: Inside, id: string): Move {
  return { ...placeOf(inside, id), after: id };
}

/** Returns the place after all children of a document, or at the end of the top level (null). */
export function lastInside(inside: Inside, parent: string | null): Move {
  return { parent, after: inside.get(parent)?.at(-1)?.id ?? null };
}

/**
 * Returns where a key moves a document: past its previous or next sibling, into the previous
 * sibling, or out of its parent. Returns null if there is no such place.
 */
export function keyMove(inside: Inside, id: string, key: string): Move | null {
  const standing = standingOf(inside, id);
  if (!standing) return null;
  const { parent, before, behind } = standing;
  const above = before.at(-1);
  switch (key) {
    case "ArrowUp":
      return above === undefined ? null : { parent, after: before.at(-2) ?? null };
    case "ArrowDown":
      return behind[0] === undefined ? null : { parent, after: behind[0] };
    case "ArrowRight":
      return above === undefined ? null : lastInside(inside, above);
    case "ArrowLeft":
      return parent === null
        ? null
        : { parent: standingOf(inside, parent)?.parent ?? null, after: parent };
    default:
      return null;
  }
}

/** Where a document is dropped relative to another one. */
export type Drop = "before" | "inside" | "after";

/** Returns the move of a drop. A drop after an open document moves before its first child. */
export function dropMove(inside: Inside, onto: string, drop: Drop, isOpen: boolean): Move {
  if (drop === "inside") return lastInside(inside, onto);
  if (drop === "after" && isOpen) return { parent: onto, after: null };
  const place = placeOf(inside, onto);
  return drop === "before" ? place : { ...place, after: onto };
}
