import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { plainCopy } from "./plain-copy";

const deed = fc.record({
  hand: fc.nat(2),
  at: fc.nat(80),
  size: fc.nat(5),
  word: fc.constantFrom("alpha ", "é", "🙂", ""),
});

/** A document written by three hands, in this order. */
function written(
  deeds: readonly { hand: number; at: number; size: number; word: string }[],
): Y.XmlFragment {
  const doc = new Y.Doc({ gc: false });
  const fragment = doc.getXmlFragment("default");
  const line = new Y.XmlText();
  const paragraph = new Y.XmlElement("paragraph");
  paragraph.setAttribute("level", "2");
  paragraph.insert(0, [line]);
  fragment.insert(0, [paragraph]);
  for (const { hand, at, size, word } of deeds) {
    doc.clientID = 100 + hand;
    if (word !== "") line.insert(at % (line.length + 1), word, size === 0 ? { bold: {} } : {});
    else if (line.length > 0)
      line.delete(at % line.length, Math.min(size, line.length - (at % line.length)));
  }
  return fragment;
}

describe("a plain copy", () => {
  it("[GRADE-1] reads like the text, and is the same bytes whoever wrote it in whatever order", () => {
    let deleted = 0;
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 20 }), (deeds) => {
        const text = written(deeds);
        const copy = plainCopy(text);
        const read = new Y.Doc();
        Y.applyUpdate(read, copy);
        expect(read.getXmlFragment("default").toString()).toBe(text.toString());
        expect([...read.store.clients.keys()]).toEqual([1]);
        const { ds } = Y.decodeUpdate(copy);
        expect(ds.clients.size).toBe(0);
        if (Y.decodeUpdate(Y.encodeStateAsUpdate(text.doc ?? new Y.Doc())).ds.clients.size > 0)
          deleted += 1;
        // Written again by another hand, from its end to its beginning.
        expect(plainCopy(read.getXmlFragment("default"))).toEqual(copy);
      }),
      { numRuns: 80 },
    );
    expect(deleted).toBeGreaterThan(10);
  });
});
