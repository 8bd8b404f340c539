import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { applyState } from "./document-state";

/** Creates a document in which two people write and erase. Returns it with its updates. */
function written() {
  const doc = new Y.Doc();
  const updates: Uint8Array[] = [];
  doc.on("update", (update: Uint8Array) => updates.push(update));
  const text = new Y.XmlText();
  doc.getXmlFragment("default").insert(0, [text]);
  for (let index = 0; index < 200; index += 1) {
    doc.clientID = 1 + (index % 2);
    text.insert((index * 7) % (text.length + 1), `word ${index} `);
    if (index % 3 === 0) text.delete((index * 5) % text.length, 1);
  }
  return { doc, updates };
}

describe("a state in parts", () => {
  it("equals the whole document, wherever it is divided [EDIT-14]", () => {
    const { doc, updates } = written();
    for (const parted of [0, 1, 150, updates.length]) {
      const early = new Y.Doc();
      for (const update of updates.slice(0, parted)) Y.applyUpdate(early, update);
      const made = new Y.Doc();
      applyState(made, { state: Y.encodeStateAsUpdate(early), since: updates.slice(parted) });

      expect(made.getXmlFragment("default").toString()).toBe(
        doc.getXmlFragment("default").toString(),
      );
      expect(Y.encodeStateAsUpdate(made)).toEqual(Y.encodeStateAsUpdate(doc));
      expect(made.store.clients.get(1)?.length).toBe(doc.store.clients.get(1)?.length);
    }
  });

  it("continues like any other document, and avoids a client id that is in use", () => {
    const { doc } = written();
    const made = new Y.Doc();
    made.clientID = 2;
    applyState(made, { state: Y.encodeStateAsUpdate(doc) });
    expect([1, 2]).not.toContain(made.clientID);

    const text = made.getXmlFragment("default").get(0);
    if (!(text instanceof Y.XmlText)) throw new Error("There is no text.");
    const plain = new Y.Doc();
    Y.applyUpdate(plain, Y.encodeStateAsUpdate(doc));
    made.on("update", (update: Uint8Array) => Y.applyUpdate(plain, update));
    text.insert(5, "new");
    text.delete(2, 30);
    expect(plain.getXmlFragment("default").toString()).toBe(
      made.getXmlFragment("default").toString(),
    );
    expect(Y.encodeStateAsUpdate(plain)).toEqual(Y.encodeStateAsUpdate(made));
  });
});
