import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { plainCopy } from "@/events/crdt/updates/plain-copy";
import { whereIs } from "./anchor";
import { anchorOf, liveText } from "./live-anchor";
import { placeOf, stretchAt } from "./plain-stretch";

const words = fc
  .array(fc.constantFrom("alpha ", "beta", " é", "🙂", "\u00a0", ""), { maxLength: 5 })
  .map((parts) => parts.join(""));

function fragmentOf(texts: readonly string[]): Y.XmlFragment {
  const fragment = new Y.Doc().getXmlFragment("default");
  fragment.insert(
    0,
    texts.map((text) => {
      const paragraph = new Y.XmlElement("paragraph");
      paragraph.insert(0, [new Y.XmlText(text)]);
      return paragraph;
    }),
  );
  return fragment;
}

describe("a place in a plain text", () => {
  it("[GRADE-7] holds the words of an anchor in a copy of the text", () => {
    let found = 0;
    fc.assert(
      fc.property(
        fc.array(words, { minLength: 1, maxLength: 5 }),
        fc.nat(40),
        fc.nat(40),
        (texts, from, length) => {
          const fragment = fragmentOf(texts);
          const text = liveText(fragment);
          const at = (index: number) => {
            const textblock = index % texts.length;
            return { textblock, offset: index % ((texts[textblock]?.length ?? 0) + 1) };
          };
          const anchor = anchorOf(text, at(from), at(from + length), 1000);
          if (anchor === null) return;
          const where = whereIs(anchor, text);
          if (where.state === "gone") throw new Error("words that were just chosen are gone");
          const place = placeOf(anchor, text);
          const read = new Y.Doc();
          Y.applyUpdate(read, plainCopy(fragment));
          const copy = liveText(read.getXmlFragment("default"));
          const stretch = place && stretchAt(place, copy);
          expect(stretch && copy.letters.between(stretch.from, stretch.to)).toBe(
            text.letters.between(where.from, where.to),
          );
          found += 1;
        },
      ),
      { numRuns: 300 },
    );
    expect(found).toBeGreaterThan(60);
  });

  it("[GRADE-7] is null where the words are gone or the text is too short", () => {
    const fragment = fragmentOf(["alpha beta"]);
    const anchor = anchorOf(
      liveText(fragment),
      { textblock: 0, offset: 0 },
      { textblock: 0, offset: 5 },
      1000,
    );
    if (anchor === null) throw new Error("no words");
    fragment.delete(0, 1);
    expect(placeOf(anchor, liveText(fragment))).toBeNull();
    expect(stretchAt({ from: 2, to: 40 }, liveText(fragmentOf(["alpha"])))).toBeNull();
    expect(stretchAt({ from: 3, to: 3 }, liveText(fragmentOf(["alpha"])))).toBeNull();
  });
});
