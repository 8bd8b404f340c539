import { getSchema } from "@tiptap/core";
import { EditorState } from "@tiptap/pm/state";
import {
  prosemirrorToYXmlFragment,
  updateYFragment,
  yXmlFragmentToProseMirrorRootNode,
} from "@tiptap/y-tiptap";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { row } from "@/events/history/timeline/rows.fixture";
import { fitContent, isTooDeep } from "./fitting-content";
import { documentExtensions } from "@/events/content/schema";

const schema = getSchema(documentExtensions);
fitContent(schema);

const element = (name: string, ...children: (Y.XmlElement | Y.XmlText)[]) => {
  const made = new Y.XmlElement(name);
  made.insert(0, children);
  return made;
};
const paragraph = (words: string) => element("paragraph", new Y.XmlText(words));

const incomplete: [string, () => Y.XmlElement, string][] = [
  ["a list without items", () => element("bulletList"), ""],
  ["a quotation without blocks", () => element("blockquote"), ""],
  [
    "an item that begins with a heading",
    () => element("bulletList", element("listItem", element("heading", new Y.XmlText("Kept")))),
    "Kept",
  ],
  ["an empty item", () => element("taskList", element("taskItem")), ""],
  ["a table without rows", () => element("table"), ""],
  ["a cell without blocks", () => element("table", element("tableRow", element("tableCell"))), ""],
];

function documentWith(make: () => Y.XmlElement): Y.Doc {
  const doc = new Y.Doc();
  doc.transact(() =>
    doc.getXmlFragment("default").insert(0, [paragraph("Before"), make(), paragraph("After")]),
  );
  return doc;
}

describe("content that two people left incomplete", () => {
  it.each(incomplete)("[ADMIT-16] is shown unchanged: %s", (_, make, words) => {
    const doc = documentWith(make);
    const fragment = doc.getXmlFragment("default");
    const written = fragment.toString();
    const root = yXmlFragmentToProseMirrorRootNode(fragment, schema);
    root.check();
    expect(root.textContent).toBe(`Before${words}After`);
    expect(fragment.toString()).toBe(written);
  });

  it.each(incomplete)("[ADMIT-16] is not changed by edits elsewhere: %s", (_, make, words) => {
    const doc = documentWith(make);
    const fragment = doc.getXmlFragment("default");
    const mapping = new Map();
    const meta = { mapping, isOMark: new Map() };
    const root = schema.node(
      "doc",
      null,
      fragment.toArray().map((each) => {
        const single = new Y.Doc();
        const copy = single.getXmlFragment("default");
        copy.insert(0, each instanceof Y.XmlElement ? [each.clone()] : []);
        const node = yXmlFragmentToProseMirrorRootNode(copy, schema).child(0);
        mapping.set(each, node);
        return node;
      }),
    );
    const state = EditorState.create({ doc: root });
    const after = state.apply(state.tr.insertText("!", root.content.size - 1));
    doc.transact(() => updateYFragment(doc, fragment, after.doc, meta));
    const expected = documentWith(make);
    const last = expected.getXmlFragment("default").get(2);
    const text = last instanceof Y.XmlElement ? last.get(0) : null;
    if (text instanceof Y.XmlText) text.insert(5, "!");
    expect([fragment.toString(), after.doc.textContent]).toEqual([
      expected.getXmlFragment("default").toString(),
      `Before${words}After!`,
    ]);
  });

  it("[ADMIT-17] is never nested deeper than readers accept", () => {
    const quoted = (depth: number) =>
      Array.from({ length: depth }).reduce<ReturnType<typeof schema.node>>(
        (inner) => schema.node("blockquote", null, [inner]),
        schema.node("paragraph", null, [schema.text("Deep")]),
      );
    const pasted = (depth: number) => {
      const state = EditorState.create({ schema });
      return state.tr.replaceWith(0, state.doc.content.size, quoted(depth));
    };
    expect([isTooDeep(pasted(59)), isTooDeep(pasted(60))]).toEqual([false, true]);
    const doc = new Y.Doc();
    doc.clientID = 5;
    prosemirrorToYXmlFragment(pasted(59).doc, doc.getXmlFragment("default"));
    const fold = new ConfirmedDocument(null);
    fold.integrate(
      row(
        {
          version: 1,
          actorId: "Ana",
          clientIds: [5],
          update: encodeEdits([{ update: Y.encodeStateAsUpdate(doc), time: 0 }]),
        },
        0,
      ),
    );
    expect([fold.anomalies, fold.doc.getXmlFragment("default").toString()]).toEqual([
      [],
      doc.getXmlFragment("default").toString(),
    ]);
  });
});
