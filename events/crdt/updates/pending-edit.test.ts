import * as Y from "yjs";
import { expect, it } from "vitest";
import { clientIdsOf, inEvents, pendingEdit } from "./pending-edit";

function editOf(client: number) {
  const doc = new Y.Doc();
  doc.clientID = client;
  doc.getText("t").insert(0, "x");
  return pendingEdit(String(client), Y.encodeStateAsUpdate(doc), client);
}

it("[SYNC-45] puts at most 64 client ids into one event", () => {
  const edits = Array.from({ length: 150 }, (_, at) => editOf(at + 1));
  const events = inEvents(edits, 1_000_000, 1_000);
  expect(events.map((event) => clientIdsOf(event).length)).toEqual([64, 64, 22]);
  expect(events.flat()).toEqual(edits);
});

it("[SYNC-45] fills an event up to the limits of edits and bytes", () => {
  const edits = Array.from({ length: 10 }, () => editOf(1));
  const size = edits[0]?.update.length ?? 0;
  expect(inEvents(edits, 1_000_000, 4).map(({ length }) => length)).toEqual([4, 4, 2]);
  expect(inEvents(edits, 3 * size, 100).map(({ length }) => length)).toEqual([3, 3, 3, 1]);
});
