import { expect, it } from "vitest";
import * as Y from "yjs";
import { remoteOrigin } from "@/events/realtime/document-provider";
import { LocalEdits } from "./local-edits";

const type = (doc: Y.Doc, text: string) => doc.getText("default").insert(0, text);

it("hands on local edits, one update per transaction, and no remote ones", () => {
  const handedOn: Uint8Array[] = [];
  const state = { mayWrite: true };
  const local = new LocalEdits(
    { mayWrite: () => state.mayWrite, unlogged: () => [], typed: () => null },
    { add: (update) => handedOn.push(update) },
  );
  const [doc, others] = [new Y.Doc(), new Y.Doc()];
  // With these ids, the others' text is placed after the local text, so that no text typed here
  // depends on it.
  [doc.clientID, others.clientID] = [1, 2];
  local.listen(doc);
  type(doc, "b");
  type(others, "c");
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(others), remoteOrigin);
  doc.transact(() => [type(doc, "a"), type(doc, "_")]);
  expect(handedOn).toHaveLength(2);
  state.mayWrite = false;
  type(doc, "of a reader");
  state.mayWrite = true;
  local.end();
  type(doc, "of a page that is closed");
  const copy = new Y.Doc();
  for (const update of handedOn) Y.applyUpdate(copy, update);
  expect(copy.getText("default").toString()).toBe("_ab");
});
