import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { forkOf } from "./fork";
import { pageAt } from "@/events/history/timeline/document-text";
import { row } from "@/events/history/timeline/rows.fixture";
import type { TimelineRow } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { previewOf } from "./restore-preview";
import { mergingOf } from "./merge";

const parent = "00000000-0000-4000-8000-00000000000a";
const fork = "00000000-0000-4000-8000-00000000000b";
const start = Date.UTC(2026, 10, 14);
let clients = 100;

const reads = (rows: readonly TimelineRow[]) => {
  const timeline = openTimeline(rows);
  expect(timeline.anomalies).toEqual([]);
  return pageAt(timeline, timeline.length - 1).text;
};

/** Returns a person's change to a document's only paragraph, as the row that records it. */
function written(
  rows: TimelineRow[],
  who: string,
  change: (textblock: Y.XmlText) => void,
): TimelineRow[] {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, openTimeline(rows).state());
  doc.clientID = clients += 1;
  const updates: Uint8Array[] = [];
  doc.on("update", (update: Uint8Array) => updates.push(update));
  doc.transact(() => {
    const root = doc.getXmlFragment("default");
    if (root.length === 0) {
      const paragraph = new Y.XmlElement("paragraph");
      paragraph.insert(0, [new Y.XmlText()]);
      root.insert(0, [paragraph]);
    }
    const paragraph = root.get(0);
    const textblock = paragraph instanceof Y.XmlElement ? paragraph.get(0) : null;
    if (textblock instanceof Y.XmlText) change(textblock);
  });
  return updates.reduce(
    (all, update) => [
      ...all,
      row(
        { version: all.length + 1, actorId: who, clientIds: [doc.clientID], update },
        start + all.length,
      ),
    ],
    rows,
  );
}

const created = () => [
  row({ version: 1, actorId: "Ana", type: "document.created", body: { title: "" } }, start),
];
const appending = (words: string) => (textblock: Y.XmlText) =>
  textblock.insert(textblock.length, words);
const acting = () => ({
  userId: "Ben",
  clientId: (clients += 1),
  time: start + 10 ** 6,
  eventId: "00000000-0000-4000-8000-000000000099",
});
const recorded = (rows: TimelineRow[], fields: Partial<TimelineRow>, who = "Ben") => [
  ...rows,
  row({ version: rows.length + 1, actorId: who, ...fields }, start + rows.length),
];

/** Merges as the dialog does, with writing of others between the pieces. */
function merged(from: TimelineRow[], into: TimelineRow[]): TimelineRow[] | null {
  const merging = mergingOf({ id: fork, rows: from }, into, acting());
  if (merging === null) return null;
  let rows = into;
  for (const piece of merging.requests.flat())
    rows = recorded(rows, { ...piece, type: "document.merged", body: merging.body });
  for (const { version, actorId } of merging.again)
    rows = reworked(rows, version, version, actorId);
  expect(reads(rows)).toBe(pageAt(merging.timeline, merging.timeline.length - 1).text);
  return rows;
}

function reworked(rows: TimelineRow[], from: number, to: number, actorId = "Ben"): TimelineRow[] {
  const preview = previewOf({ kind: "events", from, to, actorId }, rows, acting());
  if (!preview) throw new Error("there was nothing to take back");
  return recorded(rows, {
    type: preview.type,
    body: preview.body,
    update: preview.update,
    clientIds: preview.clientIds,
  });
}

function forked() {
  const main = written(created(), "Ana", appending("One."));
  const side = forkOf(main, parent).reduce(
    (rows, piece) =>
      recorded(
        rows,
        { ...piece, type: "document.forked", body: { document: parent, version: main.length } },
        "Carol",
      ),
    created(),
  );
  return { main, side: written(side, "Carol", appending(" Two.")) };
}

describe("a merge", () => {
  it("[ACT-13] that was reverted comes back with the next one, any number of times, and a second one brings nothing", () => {
    const { main, side } = forked();
    let rows = main;
    for (let round = 0; round < 3; round += 1) {
      const from = rows.length + 1;
      const next = merged(side, rows);
      if (!next) throw new Error("the merge brings nothing");
      expect(reads(next)).toBe("One. Two.");
      expect(merged(side, next)).toBeNull();
      rows = reworked(next, from, next.length);
      expect(reads(rows)).toBe("One.");
    }
  });

  it(
    "[ACT-13] that was reverted comes back with the later text of the fork, and not twice once " +
      "its revert is reverted",
    () => {
      const { main, side } = forked();
      const first = merged(side, main) ?? [];
      const undone = reworked(first, first.length, first.length);
      const more = written(side, "Carol", appending(" Three."));
      const again = merged(more, undone) ?? [];
      expect(reads(again)).toBe("One. Two. Three.");
      const redone = reworked(undone, undone.length, undone.length);
      expect([reads(redone), merged(side, redone)]).toEqual(["One. Two.", null]);
    },
  );

  it("[ACT-13] is reverted without what others wrote between its pieces and since", () => {
    const { main, side } = forked();
    const merging = mergingOf({ id: fork, rows: side }, main, acting());
    const [piece] = merging?.requests.flat() ?? [];
    if (!merging || !piece) throw new Error("the merge brings nothing");
    let rows = recorded(main, { ...piece, type: "document.merged", body: merging.body });
    rows = written(rows, "Ana", (textblock) => textblock.insert(0, "Zero. "));
    // The second piece has no new content.
    rows = recorded(rows, { update: piece.update, type: "document.merged", body: merging.body });
    expect(reads(reworked(rows, main.length + 1, rows.length))).toBe("Zero. One.");
  });

  it("[ACT-9] of changed words keeps what each side wrote, and drops what either side deleted", () => {
    const { main, side } = forked();
    const here = written(
      main,
      "Ana",
      (textblock) => (textblock.delete(0, 3), textblock.insert(0, "First")),
    );
    const there = written(
      side,
      "Carol",
      (textblock) => (textblock.delete(0, 4), textblock.insert(0, "Uno!")),
    );
    const both = reads(merged(there, here) ?? []);
    for (const words of ["First", "Uno!", " Two."]) expect(both).toContain(words);
    expect(both).not.toContain("One");
  });
});
