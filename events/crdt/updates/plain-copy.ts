import * as Y from "yjs";

/** The one client of a plain copy. */
const nobody = 1;

/**
 * A text as if it had been written from beginning to end in one go: a Yjs state that says what stands there and nothing
 * of how it came about, neither how many authors there were, nor in which order letters came, nor that something went.
 */
export function plainCopy(fragment: Y.XmlFragment): Uint8Array {
  const doc = new Y.Doc();
  doc.clientID = nobody;
  const copies = fragment
    .toArray()
    .flatMap((child) =>
      child instanceof Y.XmlElement || child instanceof Y.XmlText ? [child.clone()] : [],
    );
  doc.getXmlFragment("default").insert(0, copies);
  return Y.encodeStateAsUpdate(doc);
}
