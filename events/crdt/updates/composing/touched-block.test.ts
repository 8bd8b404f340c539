import * as Y from "yjs";
import { describe, expect, it } from "vitest";
import { inspectUpdate } from "../update-inspection";
import { touchesBlock } from "./touched-block";

function block(name: string, words: string) {
  const element = new Y.XmlElement(name);
  element.insert(0, [new Y.XmlText(words)]);
  return element;
}

const nodeAt = (parent: Y.XmlFragment, index: number): Y.XmlElement => {
  const child = parent.get(index);
  if (!(child instanceof Y.XmlElement)) throw new Error("There is no such block.");
  return child;
};
const wordsOf = (parent: Y.XmlElement): Y.XmlText => {
  const child = parent.get(0);
  if (!(child instanceof Y.XmlText)) throw new Error("There are no words.");
  return child;
};

/** Creates a list with two items and a paragraph. The composition is in the first item. */
function page() {
  const doc = new Y.Doc();
  const list = new Y.XmlElement("bulletList");
  const item = () => new Y.XmlElement("listItem");
  const [first, second] = [item(), item()];
  first.insert(0, [block("paragraph", "composed")]);
  second.insert(0, [block("paragraph", "second")]);
  list.insert(0, [first, second]);
  doc.getXmlFragment("default").insert(0, [list, block("paragraph", "behind")]);
  const composed = nodeAt(nodeAt(nodeAt(doc.getXmlFragment("default"), 0), 0), 0);
  return { doc, composed };
}

/** Whether another person's change touches the block with the composition. */
function touches(act: (root: Y.XmlFragment) => void): boolean {
  const { doc, composed } = page();
  const other = new Y.Doc();
  Y.applyUpdate(other, Y.encodeStateAsUpdate(doc));
  const before = Y.encodeStateVector(other);
  const updates: Uint8Array[] = [];
  other.on("update", (update: Uint8Array) => updates.push(update));
  other.transact(() => act(other.getXmlFragment("default")));
  const [update] = updates;
  if (!update) throw new Error("Nothing was done.");
  const { parts } = inspectUpdate(update);
  const told = touchesBlock(doc, composed, parts);
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(other, before));
  // An update that the page already has changes nothing there.
  expect(touchesBlock(doc, composed, parts)).toBe(false);
  return told;
}

const composedIn = (root: Y.XmlFragment) => nodeAt(nodeAt(nodeAt(root, 0), 0), 0);

describe("an update during a composition", () => {
  it.each<[string, (root: Y.XmlFragment) => void]>([
    ["letters at its beginning", (root) => wordsOf(composedIn(root)).insert(0, "x")],
    ["letters in its middle", (root) => wordsOf(composedIn(root)).insert(3, "x")],
    ["letters at its end", (root) => wordsOf(composedIn(root)).insert(8, "x")],
    ["letters of it that go", (root) => wordsOf(composedIn(root)).delete(2, 2)],
    ["a mark", (root) => wordsOf(composedIn(root)).format(2, 3, { bold: true })],
    ["an attribute", (root) => composedIn(root).setAttribute("textAlign", "center")],
    [
      "a picture beside its words",
      (root) => composedIn(root).insert(1, [new Y.XmlElement("image")]),
    ],
    ["the block that goes", (root) => nodeAt(nodeAt(root, 0), 0).delete(0, 1)],
    ["what it stands in that goes", (root) => root.delete(0, 1)],
  ])("[WRITE-42] touches the block by %s", (_what, act) => {
    expect(touches(act)).toBe(true);
  });

  it.each<[string, (root: Y.XmlFragment) => void]>([
    ["letters in another block", (root) => wordsOf(nodeAt(root, 1)).insert(3, "x")],
    ["a block above", (root) => root.insert(0, [block("paragraph", "above")])],
    ["a block behind", (root) => nodeAt(nodeAt(root, 0), 0).insert(1, [block("paragraph", "new")])],
    ["another item that goes", (root) => nodeAt(root, 0).delete(1, 1)],
    ["an attribute of what it stands in", (root) => nodeAt(root, 0).setAttribute("tight", "true")],
  ])("[WRITE-42] does not touch it by %s", (_what, act) => {
    expect(touches(act)).toBe(false);
  });
});
