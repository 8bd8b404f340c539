import * as Y from "yjs";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { row } from "@/events/history/timeline/rows.fixture";
import type { TimelineRow } from "@/events/history/timeline/timeline";
import { seededRandom } from "@/events/core/virtual-clock.fixture";
import { astride, attacks } from "./hostile-edits.fixture";

const start = Date.UTC(2026, 10, 14, 15, 42);
const mallory = 666;

function textblocksOf(nodes: unknown[]): Y.XmlText[] {
  return nodes.flatMap((node) =>
    node instanceof Y.XmlText
      ? [node]
      : node instanceof Y.XmlElement
        ? textblocksOf(node.toArray())
        : [],
  );
}

function paragraph(words: string): Y.XmlElement {
  const element = new Y.XmlElement("paragraph");
  element.insert(0, [new Y.XmlText(words)]);
  return element;
}

/** Makes a random edit that an editor could make. */
function write(doc: Y.Doc, below: (most: number) => number, words: string): void {
  const root = doc.getXmlFragment("default");
  const textblocks = textblocksOf(root.toArray());
  const textblock = textblocks[below(Math.max(1, textblocks.length))];
  const action = below(6);
  if (!textblock || action === 0) root.insert(below(root.length + 1), [paragraph(words)]);
  else if (action === 1 && textblock.length > 2) textblock.delete(below(textblock.length - 1), 1);
  else if (action === 2 && root.length > 1) root.delete(below(root.length), 1);
  else if (
    action === 3 &&
    textblock.length > 1 &&
    !(textblock.parent instanceof Y.XmlElement && textblock.parent.nodeName === "codeBlock")
  )
    textblock.format(0, 1 + below(textblock.length - 1), { bold: {} });
  else textblock.insert(below(textblock.length + 1), words);
}

function updatesOf(doc: Y.Doc, act: () => void): Uint8Array[] {
  const updates: Uint8Array[] = [];
  const collect = (update: Uint8Array) => updates.push(update);
  doc.on("update", collect);
  act();
  doc.off("update", collect);
  return updates;
}

/**
 * Creates a history in which Ana and Ben make valid edits on top of the part of the log that they
 * have seen. Mallory, who also sees all of her own edits, writes arbitrary edits and builds on
 * them.
 */
export function hostileHistory(seed: number, steps: number): TimelineRow[] {
  const random = seededRandom(seed);
  const below = (most: number) => random.below(most);
  const rows = [
    row(
      { version: 1, actorId: "Ana", type: "document.created", body: { title: "Minutes" } },
      start,
    ),
  ];
  const hers = new Y.Doc({ gc: false });
  hers.clientID = mallory;
  const fold = new ConfirmedDocument(null);
  for (const each of rows) fold.integrate(each);
  const states = [Y.encodeStateAsUpdate(fold.doc)];
  for (let step = 0; step < steps; step += 1) {
    const isHers = step > 0 && below(3) === 0;
    const actorId = isHers ? "Mallory" : below(2) === 0 ? "Ana" : "Ben";
    let updates: Uint8Array[];
    let client = mallory;
    if (isHers) updates = hostileUpdates(hers, below);
    else {
      client = 1_000 + step;
      const doc = new Y.Doc();
      Y.applyUpdate(
        doc,
        states[Math.max(0, states.length - 1 - below(3))] ?? new Uint8Array([0, 0]),
      );
      doc.clientID = client;
      updates = updatesOf(doc, () =>
        Array.from({ length: 1 + below(3) }, () =>
          doc.transact(() => write(doc, below, `w${step} `)),
        ),
      );
    }
    if (updates.length === 0) continue;
    const time = start + rows.length * 1000;
    rows.push(
      row(
        {
          version: rows.length + 1,
          actorId,
          clientIds: [client],
          update: encodeEdits(updates.map((update, at) => ({ update, time: time + at * 16 }))),
        },
        time,
      ),
    );
    if (!isHers) for (const update of updates) Y.applyUpdate(hers, update);
    fold.integrate(rows.at(-1) ?? rows[0] ?? row({ version: 1, actorId }, 0));
    states.push(Y.encodeStateAsUpdate(fold.doc));
  }
  return rows;
}

function hostileUpdates(hers: Y.Doc, below: (most: number) => number): Uint8Array[] {
  const action = below(4);
  if (action === 0) return updatesOf(hers, () => hers.transact(() => write(hers, below, "hers ")));
  const textblocks = textblocksOf(hers.getXmlFragment("default").toArray());
  const [one, other] = [textblocks[0]?._item?.id, textblocks.at(-1)?._item?.id];
  if (action === 1 && one && other) {
    const update = astride(mallory, Y.getState(hers.store, mallory), one, other);
    Y.applyUpdate(hers, update);
    return [update];
  }
  return updatesOf(hers, () => {
    for (let left = 1 + below(2); left > 0; left -= 1)
      hers.transact(() => attacks[below(attacks.length)]?.act(hers));
  });
}
