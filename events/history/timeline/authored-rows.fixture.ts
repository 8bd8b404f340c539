import * as Y from "yjs";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { row, unknownSchema } from "./rows.fixture";
import type { TimelineRow } from "./timeline";

/**
 * One person's action: erases and writes at a place, with or without a sync with the others first.
 */
export type Act = { who: number; at: number; text: string; erase: number; sync: boolean };

const names = ["Ana", "Ben", "Carol"];
const start = Date.UTC(2026, 10, 14);

/**
 * Creates a stream in which three people, with the client ids 100 to 102, write in the text `t`,
 * which no known schema has. Each act is one event.
 */
export function authoredRows(acts: readonly Act[]): TimelineRow[] {
  const all = new Y.Doc({ gc: false });
  const docs = names.map((_, who) => {
    const doc = new Y.Doc({ gc: false });
    doc.clientID = 100 + who;
    return doc;
  });
  const rows = [
    row({ version: 1, actorId: "Ana", type: "document.created", body: { title: "" } }, start),
  ];
  for (const { who, at, text, erase, sync } of acts) {
    const doc = docs[who];
    if (!doc) continue;
    if (sync) Y.applyUpdate(doc, Y.encodeStateAsUpdate(all));
    const updates: Uint8Array[] = [];
    const collect = (update: Uint8Array) => updates.push(update);
    doc.on("update", collect);
    const written = doc.getText("t");
    const place = at % (written.length + 1);
    if (erase > 0 && place < written.length)
      written.delete(place, Math.min(erase, written.length - place));
    if (text !== "") written.insert(Math.min(place, written.length), text);
    doc.off("update", collect);
    if (updates.length === 0) continue;
    for (const update of updates) Y.applyUpdate(all, update);
    const edits = updates.map((update, index) => ({
      update,
      time: start + rows.length * 1000 + index * 16,
    }));
    const clientIds = [doc.clientID];
    rows.push(
      row(
        {
          version: rows.length + 1,
          actorId: names[who] ?? "",
          clientIds,
          schema: unknownSchema,
          update: encodeEdits(edits),
        },
        start + rows.length * 1000,
      ),
    );
  }
  return rows;
}
