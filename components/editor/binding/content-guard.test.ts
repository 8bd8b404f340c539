import { describe, expect, it } from "vitest";
import { applyUpdate, Doc, encodeStateAsUpdate, XmlElement, XmlHook, XmlText } from "yjs";
import { guardContent, inspectContent } from "./content-guard";

function docWith(write: (doc: Doc) => void): Doc {
  const doc = new Doc();
  doc.transact(() => write(doc));
  return doc;
}

function paragraph(words: string, marks: Record<string, object> = {}): XmlElement {
  const element = new XmlElement("paragraph");
  const text = new XmlText();
  text.insert(0, words, marks);
  element.insert(0, [text]);
  return element;
}

type Written = XmlElement | XmlText | XmlHook;

// Yjs accepts hooks, contrary to its types for a fragment. A hostile client ignores types.
const push = (make: () => Written) => (doc: Doc) =>
  doc.getXmlFragment("default").push([make() as XmlElement]);

const nested = (depth: number) => () => {
  const outer = new XmlElement("blockquote");
  let inner = outer;
  for (let level = 1; level < depth; level += 1) {
    const child = new XmlElement("blockquote");
    inner.insert(0, [child]);
    inner = child;
  }
  return outer;
};

const cases: [string, () => Written, "malformed" | null][] = [
  ["a paragraph", () => paragraph("Open", { bold: {} }), null],
  [
    "a link with a forbidden scheme",
    () => paragraph("Open", { link: { href: "javascript:alert(1)" } }),
    null,
  ],
  ["a block that the schema lacks", () => new XmlElement("callout"), "malformed"],
  ["a mark that the schema lacks", () => paragraph("Open", { glow: {} }), "malformed"],
  [
    "an attribute that the schema lacks",
    () => {
      const p = paragraph("");
      p.setAttribute("mood", "blue");
      return p;
    },
    "malformed",
  ],
  ["text at the root", () => new XmlText("Open"), "malformed"],
  ["a hook", () => new XmlHook("hook"), "malformed"],
  ["a document inside the document", () => new XmlElement("doc"), "malformed"],
  [
    "a paragraph inside a paragraph",
    () => {
      const p = paragraph("");
      p.insert(0, [new XmlElement("paragraph")]);
      return p;
    },
    "malformed",
  ],
  [
    "a cell with an enormous colspan",
    () => {
      const [table, row, cell] = [
        new XmlElement("table"),
        new XmlElement("tableRow"),
        new XmlElement<{ colspan: number }>("tableCell"),
      ];
      cell.setAttribute("colspan", 1e9);
      row.insert(0, [cell as unknown as XmlElement]);
      table.insert(0, [row]);
      return table;
    },
    "malformed",
  ],
  ["quotes nested 500 deep", nested(500), "malformed"],
];

describe("the guard in front of the editor", () => {
  it.each(cases)("[EDIT-4] judges %s before binding", (_name, make, verdict) => {
    expect(inspectContent(docWith(push(make)).getXmlFragment("default"))).toBe(verdict);
  });

  it.each(cases)("[EDIT-4] judges %s when another client sends it", (_name, make, verdict) => {
    const ours = docWith(push(() => paragraph("Before")));
    const theirs = new Doc();
    applyUpdate(theirs, encodeStateAsUpdate(ours));
    theirs.transact(() => push(make)(theirs));
    const fragment = ours.getXmlFragment("default");
    const seen: string[] = [];
    const order: string[] = [];
    guardContent(fragment, (why) => {
      seen.push(why);
      order.push("guard");
    });
    fragment.observeDeep(() => order.push("binding"));
    applyUpdate(ours, encodeStateAsUpdate(theirs));
    expect(seen).toEqual(verdict === null ? [] : [verdict]);
    expect(order).toEqual(verdict === null ? ["binding"] : ["guard", "binding"]);
  });
});
