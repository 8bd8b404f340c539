import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { pair } from "../bound-text.fixture";
import type { BoundText } from "../bound-text.fixture";
import { addressOfBlock, blockAtAddress } from "./block-address";
import { documentSchema } from "@/events/content/schema";

const opened: BoundText[] = [];
afterEach(() => {
  for (const text of opened.splice(0)) text.destroy();
});

function together() {
  const people = pair();
  opened.push(people.ana, people.ben);
  return people;
}

const paragraph = (text: string) =>
  documentSchema.node("paragraph", null, text === "" ? [] : [documentSchema.text(text)]);

/** Returns the position of each block of a text. */
function positions({ state }: BoundText): number[] {
  const found: number[] = [];
  state.doc.forEach((_node, at) => found.push(at));
  return found;
}

describe("the address of a block", () => {
  it("[LINK-1] is the same for every person, and survives edits of others", () => {
    const { ana, ben } = together();
    ana.type("one\ntwo\nthree", 1);
    const two = addressOfBlock(ana.state, ana.find("two"));
    expect(two).toMatch(/^\d+-\d+$/);
    expect(addressOfBlock(ben.state, ben.find("two"))).toBe(two);
    ben.dispatch(ben.state.tr.insert(0, [paragraph("zero"), paragraph("")]));
    ben.type(" and more", ben.find("two") + 3);
    const found = blockAtAddress(ana.state, `#${two ?? ""}`);
    expect(found === null ? null : ana.state.doc.nodeAt(found)?.textContent).toBe("two and more");
  });

  it("[LINK-1] names single items of a list", () => {
    const { ana, ben } = together();
    const item = (text: string) => documentSchema.node("listItem", null, [paragraph(text)]);
    ana.dispatch(
      ana.state.tr.insert(0, documentSchema.node("bulletList", null, ["a", "b", "c"].map(item))),
    );
    const at = ben.find("b");
    const address = addressOfBlock(ben.state, ben.state.doc.resolve(at).before(2));
    const found = blockAtAddress(ana.state, address ?? "");
    expect(found === null ? null : ana.state.doc.nodeAt(found)?.type.name).toBe("listItem");
    expect(found === null ? null : ana.state.doc.nodeAt(found)?.textContent).toBe("b");
    expect(address).not.toBe(addressOfBlock(ben.state, 0));
  });

  it("[LINK-1] leads back to every block of every text", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 5 }), { minLength: 1, maxLength: 8 }),
        (words) => {
          const { ana } = together();
          ana.dispatch(ana.state.tr.insert(0, words.map(paragraph)));
          for (const at of positions(ana)) {
            const address = addressOfBlock(ana.state, at);
            expect(blockAtAddress(ana.state, address ?? "")).toBe(at);
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it("[LINK-3] leads nowhere for a deleted block, an unknown one or none", () => {
    const { ana, ben } = together();
    ana.type("one\ntwo", 1);
    const two = addressOfBlock(ana.state, ana.find("two")) ?? "";
    const at = ana.state.doc.resolve(ben.find("two"));
    ben.deleted(at.before(1), at.after(1));
    const letter = `${ana.doc.clientID}-${Number(two.split("-")[1]) + 2}`;
    for (const hash of [two, `#${two}`, "#7-7", letter, "#", "#text", "1-2-3", "9999999999-0", ""])
      expect(blockAtAddress(ana.state, hash)).toBeNull();
  });
});
