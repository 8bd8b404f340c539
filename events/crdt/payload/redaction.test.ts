import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { cases } from "@/events/core/cases.fixture";
import { accept, noBindings } from "@/events/crdt/validation/validation";
import { nowhere } from "@/events/content/nowhere.fixture";
import { authoredRows } from "@/events/history/timeline/authored-rows.fixture";
import type { Act } from "@/events/history/timeline/authored-rows.fixture";
import { copyInEvents } from "@/events/revisions/copy-in-events";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { decodeEdits, encodeEdits } from "./payload";
import { redact } from "./redaction";
import { row, unknownSchema } from "@/events/history/timeline/rows.fixture";
import type { TimelineRow } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { bringsTombstone, readTombstone, standInPlace } from "./tombstone-payload";
import { inspectUpdate } from "@/events/crdt/updates/update-inspection";

const known = new Set(["t", "default", "paragraph", "heading", "level", "bold", "link", "href"]);
const start = Date.UTC(2026, 10, 14);
const act = fc.record({
  who: fc.nat(2),
  at: fc.nat(200),
  text: fc.string({ minLength: 1, maxLength: 5 }),
  erase: fc.nat(4),
  sync: fc.boolean(),
});
const histories = fc.tuple(fc.array(act, { minLength: 1, maxLength: 40 }), fc.nat(1000));

function folded(rows: readonly TimelineRow[]): ConfirmedDocument {
  const fold = new ConfirmedDocument(null);
  for (const each of rows) fold.integrate(each);
  return fold;
}

function redacted(rows: readonly TimelineRow[], version: number): TimelineRow[] {
  return rows.map((each) =>
    each.version === version
      ? { ...each, update: standInPlace(redact(each.update, Date.parse(each.clientTime), known)) }
      : each,
  );
}

/** Returns the current text without the characters of these client ids and clocks. */
function textWithout(doc: Y.Doc, gone: (client: number, clock: number) => boolean): string {
  let text = "";
  for (let item = doc.getText("t")._start; item; item = item.right) {
    const {
      content,
      id: { client, clock },
    } = item;
    if (item.deleted || !(content instanceof Y.ContentString)) continue;
    text += [...Array(item.length).keys()]
      .map((at) => (gone(client, clock + at) ? "" : content.str[at]))
      .join("");
  }
  return text;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);
const holds = (bytes: Uint8Array, text: string) =>
  Buffer.from(bytes).includes(Buffer.from(bytesOf(text)));

describe("a tombstone", () => {
  it("[REDACT-3] keeps its dependants and every other character, in any history", () => {
    let erasedSomething = 0;
    fc.assert(
      fc.property(histories, ([acts, pick]) => {
        const rows = authoredRows(acts as Act[]);
        if (rows.length < 2) return;
        const version = 2 + (pick % (rows.length - 1));
        const whole = folded(rows);
        const rest = redacted(rows, version);
        const fold = folded(rest);
        expect(fold.anomalies).toEqual([]);
        const ranges = decodeEdits(rows[version - 1]?.update ?? new Uint8Array(), 0).flatMap(
          ({ update }) => inspectUpdate(update).structs,
        );
        const gone = (client: number, clock: number) =>
          ranges.some(
            (range) =>
              range.client === client && clock >= range.clock && clock < range.clock + range.length,
          );
        expect(fold.doc.getText("t").toString()).toBe(textWithout(whole.doc, gone));
        if (fold.doc.getText("t").length < whole.doc.getText("t").length) erasedSomething += 1;
        const [before, after] = [openTimeline(rows), openTimeline(rest)];
        expect([after.length, after.anomalies, after.timeOf(after.length - 1)]).toEqual([
          before.length,
          [],
          before.timeOf(before.length - 1),
        ]);
      }),
      { seed: 5, numRuns: cases(120) },
    );
    expect(erasedSomething).toBeGreaterThan(cases(40));
  });

  it("[REDACT-3] has no content in its bytes, of any kind", () => {
    const doc = new Y.Doc();
    doc.clientID = 100;
    const updates: Uint8Array[] = [];
    doc.on("update", (update: Uint8Array) => updates.push(update));
    doc.transact(() => {
      const paragraph = new Y.XmlElement("paragraph");
      const text = new Y.XmlText();
      doc.getXmlFragment("default").insert(0, [paragraph]);
      paragraph.insert(0, [text]);
      paragraph.setAttribute("href", "hushhush");
      paragraph.setAttribute("level", 2 as unknown as string);
      text.insert(0, "hushhush", { bold: {}, link: { href: "hushhush" }, hushhush: {} });
      text.insertEmbed(4, { hushhush: "hushhush" });
      doc.getMap("hushhush").set("hushhush", "hushhush");
      const odd = new Y.XmlElement("hushhush");
      doc.getXmlFragment("default").insert(1, [odd]);
    });
    const tombstone = redact(
      encodeEdits(updates.map((update) => ({ update, time: start }))),
      start,
      known,
    );
    const [edit] = decodeEdits(readTombstone(standInPlace(tombstone)) ?? new Uint8Array(), start);
    expect(edit && holds(edit.update, "hush")).toBe(false);
    expect(edit && ["paragraph", "level", "bold"].map((name) => holds(edit.update, name))).toEqual([
      true,
      true,
      true,
    ]);
    expect(redact(Uint8Array.of(9, 9, 9), start, known).length).toBeLessThan(8);
    expect(redact(null, start, known).length).toBe(3);
  });

  it("[REDACT-3] keeps the words of another person in a paragraph that it replaces", () => {
    const doc = new Y.Doc({ gc: false });
    const updates: { actorId: string; client: number; update: Uint8Array }[] = [];
    const by = (actorId: string, client: number, work: () => void) => {
      const update = (bytes: Uint8Array) => updates.push({ actorId, client, update: bytes });
      doc.clientID = client;
      doc.on("update", update);
      doc.transact(work);
      doc.off("update", update);
    };
    const text = new Y.XmlText();
    by("Ana", 100, () => {
      const paragraph = new Y.XmlElement("paragraph");
      doc.getXmlFragment("default").insert(0, [paragraph]);
      paragraph.insert(0, [text]);
      text.insert(0, "a secret");
    });
    by("Ben", 101, () => text.insert(2, "well-kept "));
    const rows = updates.map(({ actorId, client, update }, index) =>
      row({ version: index + 1, actorId, clientIds: [client], update }, start + index),
    );
    const fold = folded(redacted(rows, 1));
    expect(fold.anomalies).toEqual([]);
    expect(fold.doc.getXmlFragment("default").toString()).toBe("<paragraph>well-kept </paragraph>");
  });

  it("[REDACT-3] of a copied-in state keeps the source of that state", () => {
    const doc = new Y.Doc();
    doc.clientID = 100;
    doc.getText("t").insert(0, "secret");
    const source = "00000000-0000-4000-8000-00000000000a";
    const [piece] = copyInEvents(Y.encodeStateAsUpdate(doc), source);
    if (!piece) throw new Error("nothing to carry");
    const rows = redacted(
      [row({ version: 1, actorId: "Carol", schema: unknownSchema, ...piece }, start)],
      1,
    );
    const fold = folded(rows);
    expect([fold.anomalies, fold.ownerOf(100), fold.doc.getText("t").toString()]).toEqual([
      [],
      `carried:${source}`,
      "",
    ]);
  });

  it("[REDACT-4] adds no edit in the event that brings it", () => {
    const rows = authoredRows([{ who: 0, at: 0, text: "secret", erase: 0, sync: true }]);
    const tombstone = redact(rows[1]?.update ?? null, start, known);
    expect(bringsTombstone(tombstone)).toBe(true);
    const brought = row(
      { version: 3, actorId: "Ana", type: "document.redacted", update: tombstone },
      start,
    );
    expect(accept(brought, noBindings(nowhere))).toEqual({ edits: [], anomalies: [] });
  });

  it("[REDACT-5] is rejected if it holds content", () => {
    const [, typed] = authoredRows([{ who: 0, at: 0, text: "planted", erase: 0, sync: true }]);
    if (!typed?.update) throw new Error("nothing typed");
    const planted = standInPlace(Uint8Array.from([0, 0, 4, ...typed.update]));
    expect(accept({ ...typed, update: planted }, noBindings(nowhere)).anomalies).toMatchObject([
      { reason: "malformed" },
    ]);
  });
});
