import type { Move } from "./document-tree";

/** Which documents stand in which, in their order. */
type Inside = ReadonlyMap<string | null, readonly { id: string; parent: string | null }[]>;

/** Where a document stands among what is shown. */
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

/** The move that brings a document back to where it stands now. */
export function placeOf(inside: Inside, id: string): Move {
  const { parent, before } = standingOf(inside, id) ?? { parent: null, before: [] };
  return { parent, after: before.at(-1) ?? null };
}

/** Right behind a document. */
export function placeBehind(inside: Inside, id: string): Move {
  return { ...placeOf(inside, id), after: id };
}

/** Behind everything that stands in a document, or (null) at the top level. */
export function lastInside(inside: Inside, parent: string | null): Move {
  return { parent, after: inside.get(parent)?.at(-1)?.id ?? null };
}

/**
 * Where a key moves a document: past the one above or below it, into the one above it, or out of
 * the one that it stands in; null where there is none.
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

/** Where a document comes that is dropped on another one: before it, inside it, or behind it. */
export type Drop = "before" | "inside" | "after";

/** The move of a drop; behind a document that is open is before the first one inside it. */
export function dropMove(inside: Inside, onto: string, drop: Drop, isOpen: boolean): Move {
  if (drop === "inside") return lastInside(inside, onto);
  if (drop === "after" && isOpen) return { parent: onto, after: null };
  const place = placeOf(inside, onto);
  return drop === "before" ? place : { ...place, after: onto };
}
