import * as Y from "yjs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitUpdate } from "./split-update";
import { inspectUpdate } from "./update-inspection";
import { UpdateError } from "./yjs-update";

describe("splitting an update", () => {
  it("means the same in pieces, even if cut between surrogates, marks and deletions", () => {
    let most = 0;
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }), {
          minLength: 1,
          maxLength: 8,
        }),
        fc.integer({ min: 12, max: 90 }),
        (texts, size) => {
          const before = new Y.Doc();
          before.getText("t").insert(0, "something that stood here");
          const doc = new Y.Doc();
          Y.applyUpdate(doc, Y.encodeStateAsUpdate(before));
          let whole: Uint8Array | null = null;
          doc.on("update", (update: Uint8Array) => (whole = update));
          doc.transact(() => {
            for (const [index, text] of texts.entries())
              doc.getText("t").insert(index * 2, text, index % 2 ? { bold: true } : {});
            doc.getText("t").delete(3, 5);
          });
          const pieces = whole ? splitUpdate(whole, size) : [];
          const other = new Y.Doc();
          Y.applyUpdate(other, Y.encodeStateAsUpdate(before));
          for (const piece of pieces) {
            Y.applyUpdate(other, piece);
            expect(other.store.pendingStructs).toBeNull();
          }
          most = Math.max(most, pieces.length);
          expect(other.getText("t").toDelta()).toEqual(doc.getText("t").toDelta());
        },
      ),
    );
    expect(most).toBeGreaterThan(3);
  });

  it("leaves a small update as it is", () => {
    const doc = new Y.Doc();
    doc.getText("t").insert(0, "small");
    const update = Y.encodeStateAsUpdate(doc);
    expect(splitUpdate(update, 1_000)).toEqual([update]);
  });
});

it("cuts an update with too many structs into pieces that a reader takes", () => {
  const doc = new Y.Doc();
  const updates: Uint8Array[] = [];
  doc.on("update", (update: Uint8Array) => updates.push(update));
  doc.transact(() => {
    const lines = Array.from({ length: 100_001 }, () => new Y.XmlElement("paragraph"));
    doc.getXmlFragment("default").push(lines);
  });
  const [whole = new Uint8Array()] = updates;
  expect(() => inspectUpdate(whole)).toThrow(UpdateError);
  const pieces = splitUpdate(whole, 256 * 1024);
  const structs = pieces.flatMap((piece) => inspectUpdate(piece).structs);
  expect(structs.length).toBe(100_001);
  expect(structs.every(({ clock }, index) => clock === index)).toBe(true);
});
