import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { cases } from "@/events/core/cases.fixture";
import { documentAt, pageAt } from "@/events/history/timeline/document-text";
import { never } from "@/events/crdt/updates/lifespans";
import type { Block, HistoryElement, Textblock } from "@/events/history/timeline/full-history-text";
import { RecordedDocument } from "@/events/history/recorded-document";
import { asAt, without } from "./selective/keeping";
import type { KeepPredicate } from "./selective/keeping";
import { selectiveRevert } from "./selective-revert";
import { gestureWith, richEdits } from "@/events/crdt/updates/rich-edits.fixture";
import type { Gesture } from "@/events/crdt/updates/rich-edits.fixture";
import { row, stream } from "@/events/history/timeline/rows.fixture";
import type { Timeline, TimelineRow } from "@/events/history/timeline/timeline";
import { openTimeline, TimelineBuilder } from "@/events/history/timeline/timeline-builder";

const people = new Map([
  [3_141_592_653, "Ana"],
  [7, "Ben"],
  [2 ** 40 + 1, "Carol"],
]);
const start = Date.UTC(2026, 10, 14, 15, 42);
const gesture = gestureWith(fc.constantFrom("alpha ", "beta ", "é", "\u{1f600}", ""));

function rowsOf(edits: { client: number; update: Uint8Array }[]): TimelineRow[] {
  return stream(
    "Minutes",
    edits.map(({ client, update }, at) => [
      { update, time: start + at * 100, actorId: people.get(client) ?? "" },
    ]),
  );
}

function recorded(rows: TimelineRow[]): RecordedDocument {
  const builder = new TimelineBuilder();
  for (const each of rows) builder.add(each);
  return new RecordedDocument(builder.finish());
}

/**
 * Returns the timeline after Dora's selective revert, read back from the log as any reader would.
 * Null if nothing changed.
 */
function reworked(rows: TimelineRow[], keepPredicate: KeepPredicate): Timeline | null {
  const update = selectiveRevert(recorded(rows), { clientId: 99, keepPredicate });
  return (
    update &&
    openTimeline([
      ...rows,
      row(
        {
          version: rows.length + 1,
          actorId: "Dora",
          type: "document.reworked",
          clientIds: [99],
          update,
        },
        start + 10 ** 6,
      ),
    ])
  );
}

/**
 * Computes the text from the full-history text alone, by the rule: standing text without reverted
 * insertions, plus text whose deletion was reverted.
 */
function byTheRule(blocks: Block[], undone: (revision: number) => boolean): string[] {
  const stands = ({ born, died }: { born: number; died: number }) =>
    !undone(born) && (died === never || undone(died));
  const standingText = (
    node: HistoryElement | Textblock,
    gone: boolean,
  ): { text: string; isStanding: boolean } => {
    // Content that was deleted with its block returns only with its block.
    const away = gone || (node.died !== never && !stands(node));
    if (away) return { text: "", isStanding: false };
    const inner =
      node.kind === "element"
        ? node.children.map((child) => standingText(child, away))
        : [
            {
              text: node.pieces
                .flatMap((piece) =>
                  piece.kind === "textRun"
                    ? [...Array(piece.text.length).keys()].map((at) =>
                        stands({ born: piece.born[at] ?? 0, died: piece.died[at] ?? 0 })
                          ? (piece.text[at] ?? "")
                          : "",
                      )
                    : [],
                )
                .join(""),
              isStanding: false,
            },
          ];
    const text = inner.map((each) => each.text).join("");
    return {
      text,
      isStanding: stands(node) || text !== "" || inner.some(({ isStanding }) => isStanding),
    };
  };
  return blocks.flatMap(({ node }) => {
    const { text, isStanding } = standingText(node, false);
    return isStanding ? [text] : [];
  });
}

describe("a selective revert", () => {
  it("makes the text read as at any revision, and keeps what stood throughout [ACT-1]", () => {
    fc.assert(
      fc.property(
        fc.array(gesture, { minLength: 4, maxLength: 30 }).map(richEdits),
        fc.nat(),
        (edits, pick) => {
          const rows = rowsOf(edits);
          const before = openTimeline(rows);
          const index = pick % before.length;
          const after = reworked(rows, asAt(index));
          const now = before.length - 1;
          if (!after) {
            expect(documentAt(before.blocks, index)).toEqual(documentAt(before.blocks, now));
            return;
          }
          expect(after.anomalies).toEqual([]);
          expect(documentAt(after.blocks, after.length - 1)).toEqual(
            documentAt(before.blocks, index),
          );
          for (const at of [0, index, now]) expect(pageAt(after, at)).toEqual(pageAt(before, at));
          const stayed = (timeline: Timeline) =>
            timeline.blocks
              .flatMap(({ node }) => textRuns(node))
              .filter(({ born, died }) => born <= index && died > now && born < now);
          const survivors = stayed(before).length;
          expect(stayed(after).filter(({ died }) => died === never)).toHaveLength(survivors);
        },
      ),
      { numRuns: cases(150) },
    );
  });

  it("reverts the changes of one author, and keeps what others wrote and deleted [ACT-2]", () => {
    let changed = 0;
    fc.assert(
      fc.property(
        fc.array(gesture, { minLength: 6, maxLength: 30 }).map(richEdits),
        fc.nat(),
        fc.nat(),
        (edits, one, other) => {
          const rows = rowsOf(edits);
          const before = openTimeline(rows);
          const [low, high] = [one % before.length, other % before.length].sort((a, b) => a - b);
          const undone = (revision: number) =>
            revision >= (low ?? 0) &&
            revision <= (high ?? 0) &&
            revision > 0 &&
            before.revision(revision).actorId === "Ana";
          const after = reworked(rows, without(undone));
          if (after) changed += 1;
          const shown = after ?? before;
          expect(shown.anomalies).toEqual([]);
          const { text } = pageAt(shown, shown.length - 1);
          expect(text.split("\n").join("|")).toBe(byTheRule(before.blocks, undone).join("|"));
        },
      ),
      { numRuns: cases(200) },
    );
    expect(changed).toBeGreaterThan(cases(50));
  });

  it(
    "leaves the text that the others would have written alone, if none of it depends on the " +
      "author [ACT-2]",
    () => {
      const own: fc.Arbitrary<Gesture> = fc.record({
        kind: fc.constantFrom(1, 2, 7),
        at: fc.constant(0),
        size: fc.nat(20),
        writer: fc.nat(2),
        word: fc.constantFrom("one ", "two ", "three "),
      });
      fc.assert(
        fc.property(fc.array(own, { minLength: 4, maxLength: 40 }), (gestures) => {
          // Each person writes in a separate document, merged at the end, so that no edit depends
          // on another person's.
          const solo = [...people.keys()].map((clientID, writer) => {
            const doc = new Y.Doc({ gc: false });
            doc.clientID = clientID;
            const updates: Uint8Array[] = [];
            doc.on("update", (update: Uint8Array) => updates.push(update));
            const root = doc.getXmlFragment("default");
            const paragraph = new Y.XmlElement("paragraph");
            paragraph.insert(0, [new Y.XmlText()]);
            root.insert(0, [paragraph]);
            const text = paragraph.get(0);
            for (const { kind, size, word } of gestures.filter((each) => each.writer === writer)) {
              if (!(text instanceof Y.XmlText)) continue;
              if (kind === 1) text.insert(size % (text.length + 1), word);
              else if (text.length > 0) text.delete(size % text.length, 1);
            }
            return updates.map((update) => ({ client: clientID, update }));
          });
          const alone = new Y.Doc();
          for (const { update } of [...(solo[1] ?? []), ...(solo[2] ?? [])])
            Y.applyUpdate(alone, update);
          const rows = rowsOf(solo.flat());
          const before = openTimeline(rows);
          const after =
            reworked(
              rows,
              without((revision) => revision > 0 && before.revision(revision).actorId === "Ana"),
            ) ?? before;
          const keepPredicate = alone
            .getXmlFragment("default")
            .toArray()
            .map((each) => (each instanceof Y.XmlElement ? each.toArray().join("") : ""));
          expect(pageAt(after, after.length - 1).text).toBe(keepPredicate.join("\n"));
        }),
        { numRuns: cases(80) },
      );
    },
  );

  it("can itself be reverted [ACT-3]", () => {
    fc.assert(
      fc.property(
        fc.array(gesture, { minLength: 4, maxLength: 20 }).map(richEdits),
        fc.nat(),
        (edits, pick) => {
          const rows = rowsOf(edits);
          const before = openTimeline(rows);
          const update = selectiveRevert(recorded(rows), {
            clientId: 99,
            keepPredicate: asAt(pick % before.length),
          });
          if (!update) return;
          const reverted = row(
            {
              version: rows.length + 1,
              actorId: "Dora",
              type: "document.reverted",
              clientIds: [99],
              update,
            },
            start + 10 ** 6,
          );
          const undo = selectiveRevert(recorded([...rows, reverted]), {
            clientId: 100,
            keepPredicate: without((revision) => revision === before.length),
          });
          const rowsAfter = [
            ...rows,
            reverted,
            row(
              {
                version: rows.length + 2,
                actorId: "Dora",
                type: "document.reworked",
                clientIds: [100],
                update: undo,
              },
              start + 2 * 10 ** 6,
            ),
          ];
          const after = openTimeline(rowsAfter);
          expect(after.anomalies).toEqual([]);
          expect(documentAt(after.blocks, after.length - 1)).toEqual(
            documentAt(before.blocks, before.length - 1),
          );
        },
      ),
      { numRuns: cases(100) },
    );
  });
});

describe("text written into a deleted block", () => {
  /** Ana deletes her block while Carol, who has not seen this, changes it. Undoes the deletion. */
  function afterUndoneDeletion(act: (text: Y.XmlText) => void): string | null {
    const docs = [7, 2 ** 40 + 1].map((clientID) =>
      Object.assign(new Y.Doc({ gc: false }), { clientID }),
    );
    const [ana, carol] = docs;
    if (!ana || !carol) throw new Error("Missing documents");
    const edits: { client: number; update: Uint8Array }[] = [];
    const paragraph = new Y.XmlElement("paragraph");
    paragraph.insert(0, [new Y.XmlText("The ferry leaves at nine")]);
    ana.getXmlFragment("default").insert(0, [paragraph]);
    const written = Y.encodeStateAsUpdate(ana);
    edits.push({ client: ana.clientID, update: written });
    Y.applyUpdate(carol, written);
    for (const doc of docs)
      doc.on("update", (update: Uint8Array) => edits.push({ client: doc.clientID, update }));
    ana.getXmlFragment("default").delete(0, 1);
    const deletion = openTimeline(rowsOf(edits)).length - 1;
    const block = carol.getXmlFragment("default").get(0);
    const text = block instanceof Y.XmlElement ? block.get(0) : null;
    if (!(text instanceof Y.XmlText)) throw new Error("there is no text");
    act(text);
    const undo = without((revision) => revision === deletion);
    const after = reworked(rowsOf(edits), undo);
    return after && pageAt(after, after.length - 1).text;
  }

  it("[ACT-3] returns with the block when the deletion is reverted", () => {
    const text = afterUndoneDeletion((own) => own.insert(own.length, ", or ten"));
    expect(text).toBe("The ferry leaves at nine, or ten");
  });

  it("[ACT-3] stays deleted if its writer deleted it there", () => {
    const text = afterUndoneDeletion((own) => {
      own.insert(own.length, ", or eleven");
      own.delete(own.length - 6, 6);
      own.insert(own.length, "ten");
    });
    expect(text).toBe("The ferry leaves at nine, or ten");
  });
});

describe("a position in the text", () => {
  it("stands at its words again when they return [ACT-4]", () => {
    const doc = new Y.Doc({ gc: false });
    doc.clientID = 7;
    const updates: { client: number; update: Uint8Array }[] = [];
    doc.on("update", (update: Uint8Array) => updates.push({ client: 7, update }));
    const paragraph = new Y.XmlElement("paragraph");
    const text = new Y.XmlText();
    paragraph.insert(0, [text]);
    doc.getXmlFragment("default").insert(0, [paragraph]);
    text.insert(0, "We correct in the open.");
    const ends = [3, 10].map((at) => Y.createRelativePositionFromTypeIndex(text, at));
    text.delete(0, text.length);
    const rows = rowsOf(updates);
    const record = recorded(rows);
    const anchors = ends.flatMap(({ item }) => (item ? [item] : []));
    selectiveRevert(record, { clientId: 99, keepPredicate: asAt(2), anchors });
    const found = ends.map(
      (end) => Y.createAbsolutePositionFromRelativePosition(end, record.doc)?.index,
    );
    expect(pageAt(openTimeline(rows), 2).text.slice(3, 10)).toBe("correct");
    expect(found).toEqual([3, 10]);
  });
});

function textRuns(node: HistoryElement | Textblock): { born: number; died: number }[] {
  if (node.kind === "element") return node.children.flatMap(textRuns);
  return node.pieces.flatMap((piece) =>
    piece.kind === "textRun"
      ? [...piece.born].map((born, at) => ({ born, died: piece.died[at] ?? 0 }))
      : [],
  );
}
