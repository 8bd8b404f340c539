import fc from "fast-check";
import { expect, test } from "vitest";
import * as Y from "yjs";
import { cases } from "@/events/core/cases.fixture";
import { blockPieces } from "./block-pieces";
import { anyGesture, oneUpdate, richEdits, rewritingGesture } from "./rich-edits.fixture";
import { inspectUpdate } from "./update-inspection";
import { writeUpdate } from "./yjs-update";

const fragmentOf = (doc: Y.Doc) => doc.getXmlFragment("default");

const xmlOf = (type: unknown) => (type instanceof Y.XmlElement ? type.toString() : "");

/** Returns each block's content by the block's id. */
function blocksOf(doc: Y.Doc): Map<string, string> {
  const blocks = new Map<string, string>();
  for (let item = fragmentOf(doc)._start; item; item = item.right)
    if (!item.deleted && item.content instanceof Y.ContentType)
      blocks.set(`${item.id.client}:${item.id.clock}`, xmlOf(item.content.type));
  return blocks;
}

function copyOf(updates: readonly Uint8Array[]): Y.Doc {
  const doc = new Y.Doc();
  for (const update of updates) Y.applyUpdate(doc, update);
  return doc;
}

const gesture = fc.oneof(
  anyGesture,
  rewritingGesture.map((each) => ({ ...each, word: "again" })),
);
const gestures = (minLength: number) => fc.array(gesture, { minLength, maxLength: 40 });
const numRuns = cases(600);

test("[SYNC-50] an update in pieces changes each block in one step", () => {
  const reached = { pieces: 0, inPieces: 0, begun: 0 };
  fc.assert(
    fc.property(
      gestures(10),
      gestures(1),
      fc.integer({ min: 1, max: 30 }),
      fc.nat(2),
      (before, now, most, known) => {
        const log = richEdits(before).map(({ update }) => update);
        const author = copyOf(log);
        author.clientID = 5;
        const update = oneUpdate(author, now);
        const inspected = { update, ...inspectUpdate(update) };
        // A reader may have received the beginning of the update already.
        const told = blockPieces(inspected, fragmentOf(copyOf(log)), 1)
          .slice(0, -1)
          .slice(0, known);
        const page = copyOf([...log, ...told]);
        const [was, becomes] = [blocksOf(page), blocksOf(author)];
        const pieces = blockPieces(inspected, fragmentOf(page), most);
        for (const piece of pieces) {
          Y.applyUpdate(page, piece);
          expect(page.store.pendingStructs).toBeNull();
          expect(page.store.pendingDs).toBeNull();
          const is = blocksOf(page);
          for (const id of new Set([...was.keys(), ...becomes.keys(), ...is.keys()]))
            expect([was.get(id), becomes.get(id)]).toContain(is.get(id));
          if (was.size > 0 && becomes.size > 0) expect(is.size).toBeGreaterThan(0);
        }
        expect(fragmentOf(page).toJSON()).toBe(fragmentOf(author).toJSON());
        expect(Y.encodeStateVector(page)).toEqual(Y.encodeStateVector(author));
        reached.pieces = Math.max(reached.pieces, pieces.length);
        if (pieces.length > 1) reached.inPieces += 1;
        if (told.length > 0) reached.begun += 1;
      },
    ),
    { numRuns },
  );
  expect(reached.pieces).toBeGreaterThan(3);
  expect(reached.inPieces).toBeGreaterThan(30);
  expect(reached.begun).toBeGreaterThan(30);
});

const paragraphs = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const block = new Y.XmlElement("paragraph");
    block.insert(0, [new Y.XmlText(`line ${index}`)]);
    return block;
  });

function lines(count: number): Y.Doc {
  const doc = new Y.Doc();
  doc.clientID = 1;
  fragmentOf(doc).insert(0, paragraphs(count));
  return doc;
}

/** Changes a copy of a document. Returns the update of the change, and its pieces. */
function divided(doc: Y.Doc, change: (fragment: Y.XmlFragment) => void, most: number) {
  const author = copyOf([Y.encodeStateAsUpdate(doc)]);
  const before = Y.encodeStateVector(author);
  change(fragmentOf(author));
  const update = Y.encodeStateAsUpdate(author, before);
  return {
    update,
    author,
    pieces: blockPieces({ update, ...inspectUpdate(update) }, fragmentOf(doc), most),
  };
}

test("[SYNC-50] deletions alone are applied from the beginning to the end", () => {
  const doc = lines(6);
  const { pieces } = divided(doc, (fragment) => fragment.delete(1, 4), 6);
  const counts = pieces.map((piece) => {
    Y.applyUpdate(doc, piece);
    return [...blocksOf(doc).values()].join(" ").replaceAll(/<[^>]*>|line /g, "");
  });
  expect(counts).toEqual(["0 3 4 5", "0 5"]);
});

test("[SYNC-50] a change of one block, of several clients or of unknown content stays whole", () => {
  const doc = lines(6);
  const one = divided(
    doc,
    (fragment) => {
      const block = fragment.get(2);
      if (block instanceof Y.XmlElement)
        for (let count = 0; count < 9; count += 1) block.insert(0, [new Y.XmlText("more")]);
    },
    2,
  );
  expect(one.pieces).toHaveLength(1);
  const whole = Y.encodeStateAsUpdate(copyOf([Y.encodeStateAsUpdate(doc), one.update]));
  const pieces = (update: Uint8Array, page: Y.Doc) =>
    blockPieces({ update, ...inspectUpdate(update) }, fragmentOf(page), 2);
  expect(pieces(whole, new Y.Doc())).toEqual([whole]);
  const later = divided(doc, (fragment) => fragment.delete(1, 4), 2);
  expect(later.pieces.length).toBeGreaterThan(1);
  expect(pieces(later.update, new Y.Doc())).toEqual([later.update]);
  // A forged deletion of unknown structs must end the division and not break the page.
  const { parts } = inspectUpdate(later.update);
  const forged = (client: number) => ({ client, ranges: [{ clock: 10 ** 6, length: 10 ** 9 }] });
  const bent = writeUpdate({ ...parts, deletes: [...parts.deletes, forged(1)] });
  expect(pieces(bent, doc)).toEqual([bent]);
  const come = divided(doc, (fragment) => fragment.insert(0, paragraphs(6)), 2);
  expect(come.pieces.length).toBeGreaterThan(1);
  const own = writeUpdate({
    ...inspectUpdate(come.update).parts,
    deletes: [forged(come.author.clientID)],
  });
  expect(pieces(own, doc)).toEqual([own]);
});
