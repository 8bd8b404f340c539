import { expect, it } from "vitest";
import * as Y from "yjs";
import { authoredRows } from "@/events/history/timeline/authored-rows.fixture";
import { redact } from "./redaction";
import { redactableWords } from "./redactable-words";

it("[REDACT-2] finds the words of texts and bodies that a redaction would destroy", () => {
  const [created, typed] = authoredRows([
    { who: 0, at: 0, text: "a secret", erase: 0, sync: true },
  ]);
  if (!created || !typed) throw new Error("no rows");
  expect(redactableWords(typed)).toBe("a secret");
  expect(redactableWords({ ...created, body: { thread: "t", text: "Said" } })).toBe("Said");
  expect(redactableWords({ ...created, body: {} })).toBe("");
  expect(redactableWords({ ...typed, redactedBy: 9 })).toBe("");
  expect(redactableWords({ ...typed, update: Uint8Array.of(0, 0, 9, 9) })).toBe("");
});

it("[REDACT-2] finds the address of a link that was set on existing words", () => {
  const [created] = authoredRows([{ who: 0, at: 0, text: "here", erase: 0, sync: true }]);
  if (!created) throw new Error("no rows");
  const doc = new Y.Doc();
  const text = doc.getText("t");
  text.insert(0, "here");
  const before = Y.encodeStateVector(doc);
  text.format(0, 4, { bold: {}, link: { href: "https://intranet.example/secret" } });
  const update = Y.encodeStateAsUpdate(doc, before);
  expect(redactableWords({ ...created, body: {}, update })).toBe("intranet.example/secret");
  const tombstone = redact(update, 0, new Set(["t", "bold", "link", "href"]));
  expect(Buffer.from(tombstone).toString("latin1")).not.toContain("intranet");
});

it("[REDACT-12] finds the words of an image and the name of a file, without ids and layout", () => {
  const [created] = authoredRows([{ who: 0, at: 0, text: "here", erase: 0, sync: true }]);
  if (!created) throw new Error("no rows");
  const doc = new Y.Doc();
  const image = new Y.XmlElement("image");
  const file = new Y.XmlElement("file");
  const id = "00000000-0000-4000-8000-0000000000f1";
  const said = (change: () => void) => {
    const before = Y.encodeStateVector(doc);
    doc.transact(change);
    return redactableWords({ ...created, body: {}, update: Y.encodeStateAsUpdate(doc, before) });
  };
  const inserted = said(() => {
    doc.getXmlFragment("default").insert(0, [image, file]);
    for (const [key, value] of Object.entries({ file: id, alt: "", caption: "Due", align: "left" }))
      image.setAttribute(key, value);
    for (const [key, value] of Object.entries({ file: id, name: "plan.pdf" }))
      file.setAttribute(key, value);
  });
  // A struct that replaces the value of an attribute does not name the attribute.
  const changed = said(() => {
    image.setAttribute("alt", "The vault");
    image.setAttribute("align", "center");
    image.setAttribute("file", id.replace(/1$/, "2"));
  });
  expect([inserted, changed]).toEqual(["Due\nplan.pdf", "The vault"]);
});
