import * as Y from "yjs";

/** The client id of all content in a plain copy. */
const nobody = 1;

/**
 * Creates a text without its past: a Yjs state with the current content, as if one author had
 * written it from beginning to end. The state reveals no number of authors, no order of writing and
 * no deletions.
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
