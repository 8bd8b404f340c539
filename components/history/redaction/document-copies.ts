import { copyInsInto, familyOf } from "@/events/read-models/family";
import { holdersOf } from "@/events/read-models/holders";
import type { Holder } from "@/events/read-models/holders";
import type { Ruled } from "@/events/core/envelope";
import { documentsById } from "@/events/read-models/document-rows";
import type { DocumentRow } from "@/events/read-models/document-rows";
import type { Rows } from "@/events/read-models/rows";

/**
 * A document with the same words, and the way in which they got there. `sure` is false if that is
 * only possible.
 */
export type Copy = { row: DocumentRow } & Pick<Holder, "kind" | "sure">;

/**
 * Finds the documents that contain words of some of a document's events. Only documents that this
 * reader may see are searched.
 */
export async function copiesOf(
  rows: Rows,
  documentId: string,
  events: readonly Pick<Ruled, "version" | "type">[],
): Promise<Copy[]> {
  const family = await familyOf(rows, documentId);
  const { copyIns, unseen } = await copyInsInto(
    rows,
    family.map(({ id }) => id),
  );
  // Of a hidden history, only the fork that created it is known.
  const begun = family.flatMap(({ id, forkedFrom, forkedAt }) =>
    unseen.has(id) && forkedFrom !== null && forkedAt !== null
      ? [
          {
            from: forkedFrom,
            at: forkedAt,
            into: id,
            version: 2,
            kind: "fork" as const,
            redacted: false,
          },
        ]
      : [],
  );
  // The steps of an import have no copy-in of their own, so the import's is used.
  const imports = events.some(({ type }) => type === "document.step_imported")
    ? copyIns.filter(({ into, kind }) => into === documentId && kind === "import")
    : [];
  const holders = holdersOf([...copyIns, ...begun], {
    document: documentId,
    versions: [...events, ...imports].map(({ version }) => version),
  });
  // Merges happen between a document and its fork source. A hidden history may contain any number
  // of merges.
  const holding = new Set([documentId, ...holders.map(({ document }) => document)]);
  const merged = family.filter(
    ({ id, forkedFrom }) =>
      unseen.has(id) &&
      !holding.has(id) &&
      family.some(
        (other) => holding.has(other.id) && (other.id === forkedFrom || other.forkedFrom === id),
      ),
  );
  const all = [
    ...holders,
    ...merged.map(({ id }): Holder => ({ document: id, kind: "merge", sure: false })),
  ];
  const known = new Map(family.map((row) => [row.id, row]));
  for (const row of await documentsById(
    rows,
    all.flatMap(({ document }) => (known.has(document) ? [] : [document])),
  ))
    known.set(row.id, row);
  return all.flatMap(({ document, kind, sure }) => {
    const row = known.get(document);
    return row ? [{ row, kind, sure }] : [];
  });
}
