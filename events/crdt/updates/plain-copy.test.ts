import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { plainCopy } from "./plain-copy";

const action = fc.record({
  author: fc.nat(2),
  at: fc.nat(80),
  size: fc.nat(5),
  word: fc.constantFrom("alpha ", "é", "🙂", ""),
});

/** Creates a document that authors write with these actions, in order. */
function written(
  actions: readonly { author: number; at: number; size: number; word: string }[],
): Y.XmlFragment {
  const doc = new Y.Doc({ gc: false });
  const fragment = doc.getXmlFragment("default");
  const textblock = new Y.XmlText();
  const paragraph = new Y.XmlElement("paragraph");
  paragraph.setAttribute("level", "2");
  paragraph.insert(0, [textblock]);
  fragment.insert(0, [paragraph]);
  for (const { author, at, size, word } of actions) {
    doc.clientID = 100 + author;
    if (word !== "")
      textblock.insert(at % (textblock.length + 1), word, size === 0 ? { bold: {} } : {});
    else if (textblock.length > 0)
      textblock.delete(
        at % textblock.length,
        Math.min(size, textblock.length - (at % textblock.length)),
      );
  }
  return fragment;
}

describe("a plain copy", () => {
  it("[GRADE-1] reads like the text, and has the same bytes for any authors and any order", () => {
    let deleted = 0;
    fc.assert(
      fc.property(fc.array(action, { maxLength: 20 }), (actions) => {
        const text = written(actions);
        const copy = plainCopy(text);
        const read = new Y.Doc();
        Y.applyUpdate(read, copy);
        expect(read.getXmlFragment("default").toString()).toBe(text.toString());
        expect([...read.store.clients.keys()]).toEqual([1]);
        const { ds } = Y.decodeUpdate(copy);
        expect(ds.clients.size).toBe(0);
        if (Y.decodeUpdate(Y.encodeStateAsUpdate(text.doc ?? new Y.Doc())).ds.clients.size > 0)
          deleted += 1;
        // Another author writes the same text again, from the end to the beginning.
        expect(plainCopy(read.getXmlFragment("default"))).toEqual(copy);
      }),
      { numRuns: 80 },
    );
    expect(deleted).toBeGreaterThan(10);
  });
});
