import * as Y from "yjs";
import { expect, it } from "vitest";
import { writtenText } from "./written-text";

/** Returns every update of a document after its initial text. */
function edits(
  before: (text: Y.XmlFragment) => void,
  write: (text: Y.XmlFragment) => void,
): Uint8Array[] {
  const doc = new Y.Doc();
  doc.clientID = 1;
  before(doc.getXmlFragment("default"));
  const own = new Y.Doc();
  own.clientID = 2;
  Y.applyUpdate(own, Y.encodeStateAsUpdate(doc));
  const updates: Uint8Array[] = [];
  own.on("update", (update: Uint8Array) => updates.push(update));
  write(own.getXmlFragment("default"));
  return updates;
}

const paragraph = (text: Y.XmlFragment, words = "", at = text.length) => {
  const node = new Y.XmlElement("paragraph");
  const textblock = new Y.XmlText(words);
  node.insert(0, [textblock]);
  text.insert(at, [node]);
  return textblock;
};
const textblockOf = (text: Y.XmlFragment, at: number) => {
  const node = text.get(at);
  const textblock = node instanceof Y.XmlElement ? node.get(0) : null;
  if (!(textblock instanceof Y.XmlText)) throw new Error("no line");
  return textblock;
};

it("[OFFLINE-11] reads own text in the order of the document, without deleted letters", () => {
  const updates = edits(
    () => undefined,
    (text) => {
      const textblock = paragraph(text);
      for (const letter of "Helo") textblock.insert(textblock.length, letter);
      textblock.insert(3, "l");
      textblock.insert(5, "!!");
      textblock.delete(6, 1);
      paragraph(text, "Second 😀 block");
      paragraph(text, "Before all", 0);
    },
  );
  expect(writtenText(updates)).toBe("Before all\nHello!\nSecond 😀 block");
});

it("[OFFLINE-11] reads text that was written into a document that is not available", () => {
  const updates = edits(
    (text) => void (paragraph(text, "Somebody else wrote this."), paragraph(text, "And this.")),
    (text) => {
      const first = textblockOf(text, 0);
      for (const letter of "mine, ")
        first.insert([...first.toString()].indexOf(" ") + 1 + "mine, ".indexOf(letter), letter);
      first.delete(0, 4);
      textblockOf(text, 1).insert(4, "also ");
    },
  );
  expect(writtenText(updates)).toBe("mine, \nalso ");
});

it("throws on bytes that are not a Yjs update", () => {
  expect(() => writtenText([new Uint8Array([255, 255])])).toThrow();
});
