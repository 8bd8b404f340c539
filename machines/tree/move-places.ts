import { limits } from "@/events/core/limits";
import type { Placed } from "@/machines/tree-path";
import { insideOf } from "@/machines/tree-rows";

type Shown = Pick<Placed, "parent" | "rank"> & { id: string };

/**
 * Returns the documents into which a document can be moved, after their existing children: those
 * for which `moveRefusal` is null. `moveRefusal` takes time proportional to the tree for one place,
 * and this function takes that time for all places together.
 */
export function movePlaces<Document extends Shown>(
  documents: readonly Document[],
  id: string,
): Document[] {
  const inside = insideOf(documents);
  const levels = levelsOf(inside, null);
  const branch = levelsOf(inside, id);
  const height = Math.max(0, ...branch.values()) + 1;
  return documents.filter(
    ({ id: place }) =>
      place !== id &&
      !branch.has(place) &&
      (inside.get(place)?.length ?? 0) < limits.document_children &&
      (levels.get(place) ?? 1) + height <= limits.document_levels,
  );
}

/** Returns the depth below `from` of each document inside it, starting at 1. */
function levelsOf<Document extends Shown>(
  inside: ReadonlyMap<string | null, readonly Document[]>,
  from: string | null,
): Map<string, number> {
  const levels = new Map<string, number>();
  let above: readonly (string | null)[] = [from];
  for (let level = 1; above.length > 0; level += 1) {
    const next = above
      .flatMap((each) => inside.get(each) ?? [])
      .filter(({ id }) => !levels.has(id));
    for (const { id } of next) levels.set(id, level);
    above = next.map(({ id }) => id);
  }
  return levels;
}
