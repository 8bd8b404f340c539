import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { VirtualClock } from "@/events/core/virtual-clock.fixture";
import { TextComparison } from "./text-comparison";

function element(name: string, content: (Y.XmlElement | Y.XmlText)[]): Y.XmlElement {
  const made = new Y.XmlElement(name);
  made.insert(0, content);
  return made;
}

const line = (words: string) => element("paragraph", [new Y.XmlText(words)]);

/**
 * Creates `lines` lines with a list in the middle, twice: as the page shows them and as the log has
 * them.
 */
function texts(lines: number) {
  const log = new Y.Doc();
  const half = Array.from({ length: lines }, (_, at) => line(`line ${at}`));
  const list = half.splice(lines / 4, lines / 2).map((each) => element("listItem", [each]));
  log.getXmlFragment("default").insert(0, [...half, element("bulletList", list)]);
  const page = new Y.Doc();
  Y.applyUpdate(page, Y.encodeStateAsUpdate(log));
  const fragments = [page.getXmlFragment("default"), log.getXmlFragment("default")] as const;
  return { page: fragments[0], log: fragments[1] };
}

function comparisonOf(lines: number) {
  const shared = texts(lines);
  return { ...shared, comparison: new TextComparison(new VirtualClock(), shared.page, shared.log) };
}

/** Runs a comparison to its end. Returns the number of slices and the result. */
function ended(comparison: TextComparison) {
  for (let slices = 1; ; slices += 1) {
    const likeness = comparison.advance();
    if (likeness !== "unfinished") return { slices, likeness };
  }
}

function textIn(part: unknown): Y.XmlText {
  const first: unknown = part instanceof Y.XmlElement ? part.get(0) : part;
  if (first instanceof Y.XmlText) return first;
  return textIn(first);
}

describe("comparing two shared texts in slices", () => {
  it("[SYNC-49] takes more slices for a longer text, also within one list", () => {
    expect(ended(comparisonOf(100).comparison)).toEqual({ slices: 1, likeness: "same" });
    const long = ended(comparisonOf(2_000).comparison);
    expect(long.likeness).toBe("same");
    expect(long.slices).toBeGreaterThan(8);
  });

  it("[SYNC-49] notices a change between two slices in a part already compared", () => {
    const { page, comparison } = comparisonOf(2_000);
    for (let slice = 0; slice < 3; slice += 1) expect(comparison.advance()).toBe("unfinished");
    textIn(page.get(0)).insert(0, "forged ");
    expect(ended(comparison).likeness).toBe("different");
  });

  it("[SYNC-49] compares only the changed parts again", () => {
    const { page, log, comparison } = comparisonOf(2_000);
    const { slices } = ended(comparisonOf(2_000).comparison);
    for (let slice = 1; slice < slices; slice += 1) {
      expect(comparison.advance()).toBe("unfinished");
      for (const text of [page, log]) textIn(text.get(slice)).insert(0, "written ");
    }
    expect(ended(comparison)).toEqual({ slices: 1, likeness: "same" });
    for (const text of [page, log]) {
      textIn(text.get(text.length - 1)).insert(0, "later ");
      text.insert(7, [line("a new line")]);
    }
    expect(ended(comparison)).toEqual({ slices: 1, likeness: "same" });
    textIn(log.get(7)).insert(0, "once more ");
    expect(ended(comparison).likeness).toBe("different");
    textIn(page.get(7)).insert(0, "once more ");
    expect(ended(comparison).likeness).toBe("same");
  });

  it.each<[string, (text: Y.XmlFragment) => void]>([
    ["a letter in a list", (text) => textIn(text.get(text.length - 1)).insert(0, "x")],
    ["a mark", (text) => textIn(text.get(3)).format(0, 2, { bold: true })],
    [
      "an attribute",
      (text) => {
        const part = text.get(3);
        if (part instanceof Y.XmlElement) part.setAttribute("level", "2");
      },
    ],
    ["a line less", (text) => text.delete(5, 1)],
    ["a line more", (text) => text.insert(5, [line("line 5")])],
    [
      "another block",
      (text) => {
        text.delete(5, 1);
        text.insert(5, [element("heading", [new Y.XmlText("line 5")])]);
      },
    ],
  ])("[SYNC-49] notices %s", (_what, change) => {
    for (const side of ["page", "log"] as const) {
      const compared = comparisonOf(40);
      expect(compared.comparison.advance()).toBe("same");
      change(compared[side]);
      expect(compared.comparison.advance()).toBe("different");
    }
  });

  it("[SYNC-49] ignores how the same text came about", () => {
    const { page, comparison } = comparisonOf(40);
    textIn(page.get(3)).insert(2, "gone");
    textIn(page.get(3)).delete(2, 4);
    expect(comparison.advance()).toBe("same");
  });
});
