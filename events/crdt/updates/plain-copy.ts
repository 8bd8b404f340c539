import * as Y from "yjs";

/** The only client of a plain copy. */
const nobody = 1;

/**
 * A text as if it had been written from beginning to end in one go: a Yjs state with the current
 * content and nothing of its history (number of authors, order of writing, deletions).
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
