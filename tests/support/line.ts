import * as Y from "yjs";

/** Returns the text of a document's first paragraph, and creates the paragraph if missing. */
export function textblockOf(doc: Y.Doc): Y.XmlText {
  const root = doc.getXmlFragment("default");
  const first = root.length > 0 ? root.get(0) : null;
  const textblock = first instanceof Y.XmlElement ? first.get(0) : null;
  if (textblock instanceof Y.XmlText) return textblock;
  const made = new Y.XmlText();
  doc.transact(() => {
    const paragraph = new Y.XmlElement("paragraph");
    root.insert(0, [paragraph]);
    paragraph.insert(0, [made]);
  });
  return made;
}
