import * as Y from "yjs";
import { expect, test } from "vitest";
import { pendingEdit } from "@/events/crdt/updates/pending-edit";
import { ClientRebase } from "@/events/crdt/updates/rebase/client-rebase";
import { inspectUpdate } from "@/events/crdt/updates/update-inspection";
import { mappedPosition } from "./mapped-position";

function textblockIn(doc: Y.Doc): Y.XmlText {
  const paragraph = doc.getXmlFragment("default").get(0);
  const text = paragraph instanceof Y.XmlElement ? paragraph.get(0) : null;
  if (!(text instanceof Y.XmlText)) throw new Error("no line");
  return text;
}

/**
 * Builds a page on which Ben typed after Ana's unrecorded text, and the page rebuilt from the log
 * and Ben's edits.
 */
function rebuilt(mine: string) {
  const log = new Y.Doc();
  log.clientID = 1;
  const paragraph = new Y.XmlElement("paragraph");
  paragraph.insert(0, [new Y.XmlText("Logged. ")]);
  log.getXmlFragment("default").insert(0, [paragraph]);
  const before = new Y.Doc();
  before.clientID = 2;
  Y.applyUpdate(before, Y.encodeStateAsUpdate(log));
  const updates: Uint8Array[] = [];
  before.on("update", (update: Uint8Array) => updates.push(update));
  textblockIn(before).insert(8, "Unlogged. ");
  before.clientID = 3;
  textblockIn(before).insert(18, mine);
  const rebaseUnderClient = new ClientRebase(4, ["default"]);
  rebaseUnderClient.grow(Y.encodeStateAsUpdate(log));
  const [unlogged, own] = updates;
  rebaseUnderClient.layOut(unlogged ? [inspectUpdate(unlogged)] : []);
  rebaseUnderClient.take(own ? [pendingEdit("1", own, 0)] : [], () => false);
  return { before, rebaseUnderClient };
}

test.each([
  ["behind one’s own letter", 20, "Logged. Mi|ne."],
  ["in text that is gone", 12, "Logged. |Mine."],
  ["in text of the log", 3, "Log|ged. Mine."],
  ["at the end", 23, "Logged. Mine.|"],
  ["at the beginning", 0, "|Logged. Mine."],
])("[WRITE-20] a caret %s keeps its place in the rebuilt document", (_name, index, expected) => {
  const { before, rebaseUnderClient } = rebuilt("Mine.");
  const text = textblockIn(rebaseUnderClient.doc).toString();
  for (const assoc of [-1, 0]) {
    const place = mappedPosition(
      Y.createRelativePositionFromTypeIndex(textblockIn(before), index, assoc),
      before,
      { find: (range) => rebaseUnderClient.find(range) },
    );
    const now = place && Y.createAbsolutePositionFromRelativePosition(place, rebaseUnderClient.doc);
    expect(now && `${text.slice(0, now.index)}|${text.slice(now.index)}`).toBe(expected);
  }
});
