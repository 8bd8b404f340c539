import { describe, expect, it } from "vitest";
import { pair } from "../bound-text.fixture";
import { Finder } from "./hits";
import { replaceAll, replaceHit } from "./replacement";

const hitsOf = (text: { state: { doc: Parameters<Finder["hitsIn"]>[0] } }, words: string) =>
  new Finder({ words, matchCase: false, wholeWords: false }).hitsIn(text.state.doc);

describe("replacing hits", () => {
  it("[FINDBAR-4] replaces all hits in every block as one undo step, with their marks", () => {
    const { ana, ben } = pair();
    ana.type("a tide, a tide\nno\nTide");
    const { state } = ana;
    const bold = state.schema.mark("bold");
    ana.dispatch(state.tr.addMark(ana.find("a tide") + 2, ana.find("a tide") + 6, bold));
    replaceAll(ana, hitsOf(ana, "tide"), "current");
    expect(ana.text).toBe("a current, a current|no|current");
    expect(ben.text).toBe(ana.text);
    expect(ana.state.doc.firstChild?.child(1).text).toBe("current");
    expect(ana.state.doc.firstChild?.child(1).marks).toEqual([bold]);
    ana.undo();
    expect(ana.text).toBe("a tide, a tide|no|Tide");
    ana.redo();
    expect(ben.text).toBe("a current, a current|no|current");
  });

  it("[FINDBAR-4] [WRITE-30] keeps text that others write between hits meanwhile, also on undo", () => {
    const { ana, ben, meet } = pair(false);
    ana.type("tide of the tide and the tide");
    meet();
    ben.type("low ", ben.find("of the"));
    replaceAll(ana, hitsOf(ana, "tide"), "sea");
    ben.type("spring ", ben.find("and the") + 8);
    meet();
    expect(ana.text).toBe("sea low of the sea and the spring sea");
    expect(ben.text).toBe(ana.text);
    ana.undo();
    meet();
    expect(ben.text).toBe("tide low of the tide and the spring tide");
  });

  it("[FINDBAR-4] removes hits, and inserts words that contain the query", () => {
    const { ana } = pair();
    ana.type("one one\none");
    replaceAll(ana, hitsOf(ana, "one"), "one and one");
    expect(ana.text).toBe("one and one one and one|one and one");
    replaceAll(ana, hitsOf(ana, "one"), "");
    expect(ana.text).toBe(" and   and | and ");
  });

  it("[FINDBAR-4] replaces thousands of hits in one block, and undoes them", () => {
    const { ana, ben } = pair();
    ana.dispatch(ana.state.tr.insertText("ab ".repeat(3_000), 1));
    replaceAll(ana, hitsOf(ana, "AB"), "cde");
    expect(ana.text.trim()).toBe("cde ".repeat(3_000).trim());
    expect(ben.text).toBe(ana.text);
    ana.undo();
    expect(ben.text.trim()).toBe("ab ".repeat(3_000).trim());
  });

  it("[FINDBAR-4] replaces one hit, not the others", () => {
    const { ana } = pair();
    ana.type("tide tide");
    const [, second] = hitsOf(ana, "tide");
    if (second) ana.dispatch(replaceHit(ana.state, second, "flow"));
    expect(ana.text).toBe("tide flow");
  });
});
