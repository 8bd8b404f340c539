import * as Y from "yjs";
import { ByteWriter } from "@/events/core/bytes/bytes";
import type { AnomalyReason } from "@/events/crdt/validation/validation";
import { structKind } from "@/events/crdt/updates/yjs-content";
import { writeUpdate } from "@/events/crdt/updates/yjs-update";
import type { Id } from "@/events/crdt/updates/yjs-update";

/** An edit that no editor allows. */
type Attack = { name: string; act: (doc: Y.Doc) => void; reason?: AnomalyReason };

const root = (doc: Y.Doc) => doc.getXmlFragment("default");
const element = (name: string, ...children: (Y.XmlElement | Y.XmlText)[]) => {
  const made = new Y.XmlElement(name);
  made.insert(0, children);
  return made;
};
// Yjs itself accepts any value and type anywhere, although its types do not say so.
const any = (value: unknown) => value as string;
const typeIn = <Type extends Y.XmlElement | Y.XmlText>(
  doc: Y.Doc,
  of: new () => Type,
): Type | null => {
  const seek = (nodes: unknown[]): Type | null => {
    for (const node of nodes) {
      if (node instanceof of) return node;
      const found: Type | null = node instanceof Y.XmlElement ? seek(node.toArray()) : null;
      if (found) return found;
    }
    return null;
  };
  return seek(root(doc).toArray());
};
const withText = (doc: Y.Doc, act: (text: Y.XmlText) => void) => {
  const text = typeIn(doc, Y.XmlText);
  if (text) act(text);
};
const withElement = (doc: Y.Doc, act: (element: Y.XmlElement) => void) => {
  const found = typeIn(doc, Y.XmlElement);
  if (found) act(found);
};
const deep = () =>
  Array.from({ length: 63 }).reduce<Y.XmlElement>(
    (inner) => element("blockquote", inner),
    element("paragraph", new Y.XmlText("EVIL")),
  );
const table = (cell: Y.XmlElement) => element("table", element("tableRow", cell));
const wide = (span: unknown) => {
  const cell = element("tableCell", element("paragraph", new Y.XmlText("evil")));
  cell.setAttribute("colspan", any(span));
  return cell;
};

export const attacks: Attack[] = [
  { name: "text at the root", act: (doc) => root(doc).push([new Y.XmlText("EVIL")]) },
  {
    name: "an unknown node",
    act: (doc) => root(doc).push([element("callout", new Y.XmlText("EVIL"))]),
  },
  {
    name: "a hook",
    act: (doc) => root(doc).push([new Y.XmlHook("hook") as unknown as Y.XmlElement]),
  },
  {
    name: "an embed",
    act: (doc) => withText(doc, (text) => text.insertEmbed(0, { image: "EVIL" })),
  },
  {
    name: "a type within text",
    act: (doc) =>
      withText(doc, (text) => text.insertEmbed(0, element("paragraph", new Y.XmlText("EVIL")))),
  },
  {
    name: "an unknown mark",
    act: (doc) => withText(doc, (text) => text.insert(0, "evil", { glow: {} })),
  },
  {
    name: "a mark of another shape",
    act: (doc) => withText(doc, (text) => text.insert(0, "evil", { bold: { deep: [1] } })),
  },
  {
    name: "a link that runs",
    act: (doc) =>
      withText(doc, (text) => text.insert(0, "evil", { link: { href: "javascript:alert(1)" } })),
  },
  {
    name: "an attribute on a text",
    act: (doc) => withText(doc, (text) => text.setAttribute("mood", "EVIL")),
  },
  {
    name: "an unknown attribute",
    act: (doc) => withElement(doc, (found) => found.setAttribute("mood", "EVIL")),
  },
  {
    name: "an attribute of another node",
    act: (doc) => withElement(doc, (found) => found.setAttribute("colspan", any(2))),
  },
  { name: "a cell with an enormous colspan", act: (doc) => root(doc).push([table(wide(1e9))]) },
  {
    name: "an attribute that is a big number",
    act: (doc) => root(doc).push([table(wide(2n ** 40n))]),
  },
  {
    name: "an attribute that becomes too large",
    act: (doc) => {
      const cell = wide(2);
      root(doc).push([table(cell)]);
      cell.setAttribute("colspan", any(1e9));
    },
  },
  {
    name: "a type as an attribute",
    act: (doc) =>
      withElement(doc, (found) => found.setAttribute("level", any(new Y.XmlText("EVIL")))),
  },
  {
    name: "a list item at the top",
    act: (doc) =>
      root(doc).push([element("listItem", element("paragraph", new Y.XmlText("EVIL")))]),
  },
  {
    name: "a paragraph within a paragraph",
    act: (doc) =>
      withElement(doc, (found) => found.insert(0, [element("paragraph", new Y.XmlText("EVIL"))])),
  },
  {
    name: "a document within the document",
    act: (doc) => root(doc).push([element("doc", element("paragraph", new Y.XmlText("EVIL")))]),
  },
  {
    name: "text in a list",
    act: (doc) => root(doc).push([element("bulletList", new Y.XmlText("EVIL"))]),
  },
  { name: "marks in code", act: (doc) => root(doc).push([element("codeBlock", boldText("evil"))]) },
  { name: "nesting without an end", act: (doc) => nest(doc), reason: "malformed" },
  {
    name: "an attribute of the root",
    act: (doc) => Y.XmlElement.prototype.setAttribute.call(root(doc), "mood", "EVIL"),
  },
  { name: "another root", act: (doc) => doc.getText("elsewhere").insert(0, "EVIL") },
  { name: "a map", act: (doc) => doc.getMap("default2").set("a", "EVIL") },
  {
    name: "an array in the text",
    act: (doc) => root(doc).push([new Y.Array() as unknown as Y.XmlElement]),
  },
  {
    name: "a list of values in the text",
    act: (doc) => withElement(doc, (found) => Y.Array.prototype.insert.call(found, 0, ["EVIL", 2])),
  },
];

function boldText(words: string): Y.XmlText {
  const text = new Y.XmlText();
  text.insert(0, words, { bold: {} });
  return text;
}

/** Nests one more level at each call, inside the deepest quotation. */
function nest(doc: Y.Doc): void {
  let at: Y.XmlElement | null =
    root(doc)
      .toArray()
      .flatMap((each) =>
        each instanceof Y.XmlElement && each.nodeName === "blockquote" ? [each] : [],
      )[0] ?? null;
  for (let inner = at; inner;) {
    at = inner;
    inner =
      (inner
        .toArray()
        .find((each) => each instanceof Y.XmlElement && each.nodeName === "blockquote") as
        Y.XmlElement | undefined) ?? null;
  }
  if (at) at.insert(at.length, [deep()]);
  else root(doc).push([deep()]);
}

/** Inserts letters between neighbours of different parents, which no Yjs client writes. */
export function astride(client: number, clock: number, origin: Id, rightOrigin: Id): Uint8Array {
  const writer = new ByteWriter();
  writer.block(new TextEncoder().encode("EVIL"));
  const struct = {
    info: structKind.string | 0xc0,
    clock,
    length: 4,
    origin,
    rightOrigin,
    parent: null,
    rootName: null,
    parentSub: null,
    content: writer.result(),
  };
  return writeUpdate({ blocks: [{ client, clock, structs: [struct] }], deletes: [] });
}
