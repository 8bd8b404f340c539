import fc from "fast-check";
import { expect, it } from "vitest";
import { cases } from "@/events/core/cases.fixture";
import { moveRefusal } from "@/machines/document-tree";
import { lastInside } from "@/machines/tree-moves";
import { insideOf } from "@/machines/tree-rows";
import { movePlaces } from "./move-places";

type Document = { id: string; parent: string | null; rank: string; phase: string };

/**
 * Mostly a document inside the previous one (80), so that some branches exceed the 64 levels. -1 is
 * the top level.
 */
const parent = fc.oneof(
  { weight: 20, arbitrary: fc.constant(80) },
  fc.integer({ min: -1, max: 80 }),
);
const forest = fc.array(parent, { minLength: 1, maxLength: 80 }).map((parents) =>
  parents.map((parent, at): Document => {
    const within = Math.min(parent, at - 1);
    const rank = `8000${String(at).padStart(4, "0")}`;
    return { id: `${at}`, parent: within < 0 ? null : `${within}`, rank, phase: "live" };
  }),
);

it("[TREE-13] the list of places equals what the law of moves allows one by one", () => {
  fc.assert(
    fc.property(forest, fc.nat(79), (documents, chosen) => {
      const { id } = documents[chosen % documents.length] ?? { id: "0" };
      const inside = insideOf(documents);
      const tree = new Map(documents.map((each) => [each.id, each]));
      const parent = tree.get(id)?.parent;
      const allowed = documents.filter(
        (each) => each.id !== id && moveRefusal(tree, id, lastInside(inside, each.id)) === null,
      );
      // The dialog leaves out the document's current parent.
      const elsewhere = (each: Document) => each.id !== parent;
      expect(movePlaces(documents, id).filter(elsewhere)).toEqual(allowed.filter(elsewhere));
    }),
    { numRuns: cases(200) },
  );
});

it("[TREE-13] the work for the list of places is linear in the number of documents", () => {
  let read = 0;
  const documents = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      id: `${at}`,
      get parent() {
        read += 1;
        return at % 50 === 0 ? null : `${at - 1}`;
      },
      rank: `8000${String(at).padStart(5, "0")}`,
    }));
  const readBy = (count: number) => {
    read = 0;
    movePlaces(documents(count), "7");
    return read;
  };
  expect(readBy(4000)).toBeLessThanOrEqual(8.5 * readBy(500));
});
