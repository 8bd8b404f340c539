import * as Y from "yjs";
import { hashed, unhashed } from "./chain.fixture";
import type { Ruled } from "@/events/core/envelope";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { makeBundle } from "./bundle-making";

export const template =
  '<!doctype html><script type="application/json" id="content">"palimpsest content"</script><script>program()</script>';
export const [ana, ben] = [unhashed(1).actorId, unhashed(2).actorId];
export const people = new Map([
  [ana, { userId: ana, name: "Ana <b>Marić</b>", color: 8 }],
  [ben, { userId: ben, name: "Ben Okafor", color: 0 }],
]);
export const atOnce = async () => undefined;
const hostile = "Words</script><img src=x onerror=alert(1)> & “more” 𝄞. ";

/** Creates a document of Ana in which both Ana and Ben wrote text that looks like markup. */
export function history(edits = 6): Promise<Ruled[]> {
  const docs = [7, 9].map((clientID) => {
    const doc = new Y.Doc({ gc: false });
    doc.clientID = clientID;
    return doc;
  });
  const rows = [
    unhashed(1, {
      bodyText: JSON.stringify({
        workspaceId: unhashed(1).workspaceId,
        title: "Plans </script> & “more”",
      }),
    }),
  ];
  for (let version = 2; version < edits + 2; version += 1) {
    const doc = docs[version % 2];
    if (!doc) break;
    const updates: Uint8Array[] = [];
    const collect = (update: Uint8Array) => updates.push(update);
    doc.on("update", collect);
    doc.transact(() => {
      const text = new Y.XmlText(`${version}: ${hostile}`);
      const element = new Y.XmlElement("paragraph");
      element.insert(0, [text]);
      doc.getXmlFragment("default").push([element]);
    });
    doc.off("update", collect);
    for (const other of docs)
      if (other !== doc) for (const update of updates) Y.applyUpdate(other, update);
    const { clientTime } = unhashed(version);
    const time = Date.parse(clientTime);
    const update = encodeEdits(updates.map((one) => ({ update: one, time })));
    rows.push(
      unhashed(version, {
        actorId: version % 2 === 1 ? ben : ana,
        clientIds: version < 4 ? [version % 2 === 1 ? 9 : 7] : [],
        update,
      }),
    );
  }
  return hashed(rows);
}

/** Exports a bundle of these rows with these attachments' bytes. */
export async function bundleOf(
  rows: Ruled[],
  files: ReadonlyMap<string, Uint8Array> = new Map(),
): Promise<Uint8Array<ArrayBuffer>> {
  const last = rows.at(-1);
  const { bytes } = await makeBundle({
    rows,
    people,
    seen: last ? { version: last.version, hash: last.hash, at: Date.UTC(2026, 10, 14) } : null,
    title: "Plans",
    by: { userId: ana, name: "Ana Marić", color: 8 },
    at: "2026-11-21T16:00:00.000Z",
    template,
    files,
    breathe: atOnce,
  });
  return bytes;
}
