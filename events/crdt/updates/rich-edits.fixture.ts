import fc from "fast-check";
import * as Y from "yjs";

/** An action of a writer on a document, as numbers that a property test may choose freely. */
export type Gesture = { kind: number; at: number; size: number; writer: number; word: string };

/** Any gesture of one of three writers, with words from the given arbitrary. */
export const gestureWith = (word: fc.Arbitrary<string>): fc.Arbitrary<Gesture> =>
  fc.record({ kind: fc.nat(8), at: fc.nat(20), size: fc.nat(60), writer: fc.nat(2), word });

/**
 * Any gesture that writes, erases, marks or rewrites. Rewriting splits a block, joins two blocks,
 * or changes a block's type.
 */
export const rewritingGesture: fc.Arbitrary<Omit<Gesture, "word">> = fc.record({
  kind: fc.constantFrom(0, 1, 1, 2, 3, 6, 7, 9, 9, 10, 11),
  at: fc.nat(20),
  size: fc.nat(60),
  writer: fc.nat(2),
});

/** Any gesture of one of three writers. */
export const anyGesture = gestureWith(
  fc.oneof(
    fc.constantFrom("a", "the quick", "\u{1f600}"),
    fc.string({ unit: "grapheme", maxLength: 8 }),
  ),
);

function texts(node: Y.XmlFragment | Y.XmlElement): Y.XmlText[] {
  return node
    .toArray()
    .flatMap((child) =>
      child instanceof Y.XmlText ? [child] : child instanceof Y.XmlElement ? texts(child) : [],
    );
}

/** Passes a number as a string: Yjs accepts numbers, but its types for an element do not. */
const level = (number: number) => number as unknown as string;

function paragraph(name: string, word: string): Y.XmlElement {
  const element = new Y.XmlElement(name);
  const text = new Y.XmlText();
  if (word !== "") text.insert(0, word);
  element.insert(0, [text]);
  return element;
}

type Delta = { insert: string; attributes?: Record<string, unknown> }[];

/** Cuts off the end of a text and returns it with its marks. */
function cutOff(text: Y.XmlText, from: number): Delta {
  const copy = text.clone();
  new Y.Doc().getXmlFragment("copy").insert(0, [copy]);
  copy.delete(0, from);
  const rest: Delta = copy.toDelta();
  if (text.length > from) text.delete(from, text.length - from);
  return rest;
}

/**
 * Acts like an editor that cannot keep words when their block changes: deletes the words and writes
 * them again.
 */
function writeAnew(root: Y.XmlFragment, { kind, at, size }: Gesture): void {
  const index = at % Math.max(1, root.length);
  const block = root.get(index);
  const text = block instanceof Y.XmlElement ? texts(block)[0] : undefined;
  if (!(block instanceof Y.XmlElement) || !text) return;
  if (kind === 10) {
    const before = index > 0 ? root.get(index - 1) : null;
    const textblock = before instanceof Y.XmlElement ? texts(before).at(-1) : undefined;
    if (!textblock) return;
    textblock.applyDelta([
      ...(textblock.length > 0 ? [{ retain: textblock.length }] : []),
      ...cutOff(text, 0),
    ]);
    root.delete(index, 1);
    return;
  }
  const rest = cutOff(text, kind === 9 ? whole(text, size % (text.length + 1)) : 0);
  const made = paragraph(
    kind === 9 ? block.nodeName : block.nodeName === "heading" ? "paragraph" : "heading",
    "",
  );
  root.insert(index + 1, [made]);
  texts(made)[0]?.applyDelta(rest);
  if (kind === 11) root.delete(index, 1);
}

/** Returns the position, moved back if it would split a surrogate pair, which no editor does. */
function whole(text: Y.XmlText, position: number): number {
  const runs: { insert: string }[] = text.toDelta();
  const unit = runs
    .map(({ insert }) => insert)
    .join("")
    .charCodeAt(position);
  return unit >= 0xdc00 && unit <= 0xdfff ? position - 1 : position;
}

function act(doc: Y.Doc, gesture: Gesture): void {
  const { kind, at, size, word } = gesture;
  const root = doc.getXmlFragment("default");
  const all = texts(root);
  const text = all[at % Math.max(1, all.length)];
  if (!text || kind === 0) {
    root.insert(at % (root.length + 1), [
      paragraph(size % 3 === 0 ? "heading" : "paragraph", word),
    ]);
    return;
  }
  const length = text.length;
  const from = whole(text, size % (length + 1));
  const count = whole(text, Math.min(from + (size % 7), length)) - from;
  if (kind === 1 && word !== "") text.insert(from, word);
  else if (kind === 2 && count > 0) text.delete(from, count);
  else if (kind === 3 && count > 0)
    text.format(
      from,
      count,
      size % 2 === 0
        ? { bold: {} }
        : { link: { href: `https://example.com/${encodeURIComponent(word)}` } },
    );
  else if (kind === 4 && root.length > 1) root.delete(at % root.length, 1);
  else if (kind === 5) {
    const element = root.get(at % root.length);
    if (element instanceof Y.XmlElement && element.nodeName === "heading")
      element.setAttribute("level", level(1 + (size % 3)));
  } else if (kind === 6) text.insert(length, [...word][0] ?? "x", { bold: {}, italic: {} });
  else if (kind === 7 && length > 0)
    text.delete(whole(text, length - 1), length - whole(text, length - 1));
  else if (kind >= 9) writeAnew(root, gesture);
  else if (kind === 8)
    root.insert(root.length, [paragraph("paragraph", `${word} `.repeat(size * 3))]);
}

/** Performs several gestures of one writer in a transaction. Returns its update. */
export function oneUpdate(doc: Y.Doc, gestures: Gesture[]): Uint8Array {
  let made = Y.encodeStateAsUpdate(new Y.Doc());
  const hear = (update: Uint8Array) => (made = update);
  doc.on("update", hear);
  doc.transact(() => {
    for (const gesture of gestures) act(doc, gesture);
  });
  doc.off("update", hear);
  return made;
}

/**
 * Performs gestures of several writers who receive each other's work after every `apart` gestures.
 * Returns the updates.
 */
export function richEdits(
  gestures: Gesture[],
  apart = 1,
): { client: number; update: Uint8Array }[] {
  const edits: { client: number; update: Uint8Array }[] = [];
  const writers = [3_141_592_653, 7, 2 ** 40 + 1].map((clientID) => {
    const doc = new Y.Doc({ gc: false });
    doc.clientID = clientID;
    return { doc, unseen: [] as Uint8Array[] };
  });
  for (const { doc } of writers) {
    doc.on("update", (update: Uint8Array, origin: unknown) => {
      if (origin === "peer") return;
      edits.push({ client: doc.clientID, update });
      for (const other of writers) if (other.doc !== doc) other.unseen.push(update);
    });
  }
  for (const [index, gesture] of gestures.entries()) {
    if (index % apart === 0)
      for (const { doc, unseen } of writers)
        for (const update of unseen.splice(0)) Y.applyUpdate(doc, update, "peer");
    const writer = writers[gesture.writer % writers.length];
    writer?.doc.transact(() => act(writer.doc, gesture));
  }
  return edits;
}
