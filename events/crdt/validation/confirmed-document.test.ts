import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { ConfirmedDocument } from "./confirmed-document";
import { joinState } from "./document-state";
import { pageAt } from "@/events/history/timeline/document-text";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { row } from "@/events/history/timeline/rows.fixture";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { writeUpdate } from "@/events/crdt/updates/yjs-update";

const start = Date.UTC(2026, 10, 14, 15, 42);
const letter = new Uint8Array([1, 120]);

/**
 * Creates two structs of two clients that each begin where the other ends. No earlier check can
 * find this, and Yjs never finishes with it.
 */
function knot(one: number, other: number): Uint8Array {
  const after = (client: number) => ({
    info: 0x84,
    clock: 0,
    length: 1,
    origin: { client, clock: 0 },
    rightOrigin: null,
    parent: null,
    rootName: null,
    parentSub: null,
    content: letter,
  });
  return writeUpdate({
    blocks: [
      { client: one, clock: 0, structs: [after(other)] },
      { client: other, clock: 0, structs: [after(one)] },
    ],
    deletes: [],
  });
}

function letters(): (text: string) => Uint8Array {
  const doc = new Y.Doc();
  doc.clientID = 5;
  const textblock = new Y.XmlText();
  const paragraph = new Y.XmlElement("paragraph");
  paragraph.insert(0, [textblock]);
  let update = new Uint8Array();
  doc.on("update", (made: Uint8Array) => (update = new Uint8Array(made)));
  return (text) => {
    doc.transact(() => {
      if (textblock.doc === null) doc.getXmlFragment("default").insert(0, [paragraph]);
      textblock.insert(textblock.length, text);
    });
    return update;
  };
}

/** Writes a word and another word, and deletes the second one. */
function written() {
  const doc = new Y.Doc();
  doc.clientID = 5;
  const updates: Uint8Array[] = [];
  doc.on("update", (made: Uint8Array) => updates.push(new Uint8Array(made)));
  const textblock = new Y.XmlText();
  const paragraph = new Y.XmlElement("paragraph");
  paragraph.insert(0, [textblock]);
  doc.transact(() => {
    doc.getXmlFragment("default").insert(0, [paragraph]);
    textblock.insert(0, "kept ");
  });
  textblock.insert(5, "secret");
  textblock.delete(5, 6);
  const rows = updates.map((update, index) =>
    row(
      {
        version: index + 1,
        actorId: "Ana",
        clientIds: index === 0 ? [5] : [],
        update: payload(update),
      },
      start,
    ),
  );
  return { rows };
}

function partsOf(fold: ConfirmedDocument) {
  const parts = fold.parts();
  if (!parts) throw new Error("There are no parts.");
  return parts;
}

const payload = (...updates: Uint8Array[]) =>
  encodeEdits(updates.map((update) => ({ update, time: start })));

describe("the confirmed document", () => {
  it("keeps the edits before the one that breaks it, and all other events [SYNC-8]", () => {
    const type = letters();
    const knots = Array.from({ length: 100 }, (_, index) => knot(100 + 2 * index, 101 + 2 * index));
    const clientIds = Array.from({ length: 200 }, (_, index) => 100 + index);
    const rows = [
      row({ version: 1, actorId: "Ana", clientIds: [5], update: payload(type("one ")) }, start),
      row(
        {
          version: 2,
          actorId: "Mallory",
          clientIds,
          update: payload(knots[0] ?? letter, ...knots.slice(50)),
        },
        start,
      ),
      row({ version: 3, actorId: "Ana", update: payload(type("two "), type("three ")) }, start),
      ...knots
        .slice(1, 50)
        .map((update, index) =>
          row({ version: 4 + index, actorId: "Mallory", update: payload(update) }, start),
        ),
      row({ version: 53, actorId: "Ana", update: payload(type("four")) }, start),
    ];
    const fold = new ConfirmedDocument(null);
    const taken = rows.flatMap((each) => fold.integrate(each));

    expect(fold.doc.getXmlFragment("default").toString()).toBe(
      "<paragraph>one two three four</paragraph>",
    );
    expect(fold.doc.store.pendingStructs).toBeNull();
    expect(taken).toHaveLength(4);
    expect(new Set(fold.anomalies.map(({ actorId, reason }) => `${actorId} ${reason}`))).toEqual(
      new Set(["Mallory malformed"]),
    );
    expect(fold.refolds).toBe(50);

    const timeline = openTimeline(rows);
    expect(pageAt(timeline, timeline.length - 1).text).toBe("one two three four");
    expect(timeline.anomalies).toEqual(fold.anomalies);
    expect(pageAt(timeline, timeline.ofVersion(2)).text).toBe("one ");
  });

  it("reads the same joined from parts as whole, without deleted words [OFFLINE-26]", () => {
    const { rows } = written();
    for (const joinedAfter of [0, 1, 2, 3]) {
      const fold = new ConfirmedDocument(null, { keepsUpdates: true });
      for (const [index, each] of rows.entries()) {
        fold.integrate(each);
        const parts = partsOf(fold);
        if (index < joinedAfter) expect(fold.rebase(parts, joinState(parts))).toBe(true);
        // The joined state is followed by the updates since then.
        expect(partsOf(fold).since).toHaveLength(Math.max(0, index + 1 - joinedAfter));
      }
      const joined = joinState(partsOf(fold));
      const text = new TextDecoder().decode(joined);
      expect(text).toContain("kept");
      expect(text).not.toContain("secret");
      expect({ version: 3, state: joined, owners: [[5, "Ana"]] }).toEqual(fold.state());
      expect(partsOf(fold).since).toEqual([]);
    }
  });

  it("returns to joined parts at an event that breaks it [OFFLINE-26]", () => {
    const { rows } = written();
    const fold = new ConfirmedDocument(null, { keepsUpdates: true });
    for (const each of rows.slice(0, 2)) fold.integrate(each);
    const parts = partsOf(fold);
    for (const each of rows.slice(2)) fold.integrate(each);
    expect(fold.rebase(parts, joinState(parts))).toBe(true);
    fold.integrate(
      row(
        { version: 4, actorId: "Mallory", clientIds: [100, 101], update: payload(knot(100, 101)) },
        start,
      ),
    );
    expect(fold.refolds).toBe(1);
    expect(fold.doc.getXmlFragment("default").toString()).toBe("<paragraph>kept </paragraph>");
    expect(joinState(partsOf(fold))).toEqual(fold.state().state);
    expect(fold.rebase(parts, joinState(parts))).toBe(false);
  });

  it("refuses parts joined before it was folded again, as after a redaction [OFFLINE-26]", () => {
    const { rows } = written();
    const fold = new ConfirmedDocument(null, { keepsUpdates: true });
    for (const each of rows) fold.integrate(each);
    const before = partsOf(fold);
    fold.restart(rows.slice(0, 1));
    expect(fold.rebase(before, joinState(before))).toBe(false);
    expect(partsOf(fold).since).toEqual([]);
    expect(joinState(partsOf(fold))).toEqual(fold.state().state);
  });

  it("has no parts unless they are asked for, and none if there are too many [OFFLINE-26]", () => {
    const { rows } = written();
    const plain = new ConfirmedDocument(null);
    for (const each of rows) plain.integrate(each);
    expect(plain.parts()).toBeNull();

    const fold = new ConfirmedDocument(null, { keepsUpdates: true });
    const type = letters();
    const first = type("x");
    const updates = Array.from({ length: 10_001 }, () => type("x"));
    fold.integrate(
      row({ version: 1, actorId: "Ana", clientIds: [5], update: payload(first) }, start),
    );
    for (let at = 0; at < 3; at += 1)
      fold.integrate(
        row(
          {
            version: 2 + at,
            actorId: "Ana",
            update: payload(...updates.slice(at * 3_400, (at + 1) * 3_400)),
          },
          start,
        ),
      );
    expect(fold.parts()).toBeNull();
    const { state } = fold.state();
    expect(joinState(partsOf(fold))).toEqual(state);
  });
});
