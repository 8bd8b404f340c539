import { describe, expect, it, test } from "vitest";
import * as Y from "yjs";
import { accept, noBindings } from "./validation";
import { nowhere } from "@/events/content/nowhere.fixture";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { row as rowOf, unknownSchema } from "@/events/history/timeline/rows.fixture";
import { inspectUpdate } from "@/events/crdt/updates/update-inspection";
import { writeUpdate } from "@/events/crdt/updates/yjs-update";
import type { Struct } from "@/events/crdt/updates/yjs-update";

/** Creates a row whose text is in a root of its own, which no known schema has. */
const row: typeof rowOf = (fields, time) => rowOf({ schema: unknownSchema, ...fields }, time);
const start = Date.UTC(2026, 10, 14, 15, 42);

function typing(clientID: number, letters: string, from?: Uint8Array): Uint8Array[] {
  const doc = new Y.Doc();
  doc.clientID = clientID;
  if (from) Y.applyUpdate(doc, from);
  const updates: Uint8Array[] = [];
  doc.on("update", (update: Uint8Array) => updates.push(update));
  const text = doc.getText("t");
  for (const letter of letters) text.insert(text.length, letter);
  return updates;
}

function payload(updates: Uint8Array[]): Uint8Array {
  return encodeEdits(updates.map((update, index) => ({ update, time: start + index * 160 })));
}

describe("admission", () => {
  it("accepts edits of an actor under their own client ids [ADMIT-2]", () => {
    const bindings = noBindings(nowhere);
    const first = accept(
      row({ version: 2, actorId: "Ana", clientIds: [5], update: payload(typing(5, "abc")) }, start),
      bindings,
    );
    expect([first.edits.length, first.anomalies.length]).toEqual([3, 0]);
    expect(bindings.reached.get(5)).toBe(3);
  });

  it("accepts own edits with their inspection, unless the event holds other bytes [SYNC-88]", () => {
    const updates = typing(5, "abc");
    const own = updates.map((update) => ({ update, inspected: inspectUpdate(update) }));
    const event = row(
      { version: 2, actorId: "Ana", clientIds: [5], update: payload(updates) },
      start,
    );
    const accepted = accept(event, noBindings(nowhere), own);
    expect(accepted.edits.map(({ inspected }, at) => inspected === own[at]?.inspected)).toEqual([
      true,
      true,
      true,
    ]);
    const forged = own.map(({ update }) => ({
      update,
      inspected: inspectUpdate(updates[0] ?? update),
    }));
    const others = typing(5, "xyz");
    const foreign = accept(
      row({ version: 2, actorId: "Ana", clientIds: [5], update: payload(others) }, start),
      noBindings(nowhere),
      forged,
    );
    expect(foreign.edits.map(({ inspected }) => inspected)).toEqual(others.map(inspectUpdate));
  });

  it("rejects edits under the client id of another actor, or under an unbound one [ADMIT-2]", () => {
    const bindings = noBindings(nowhere);
    const [ana = new Uint8Array()] = typing(5, "a");
    accept(row({ version: 2, actorId: "Ana", clientIds: [5], update: ana }, start), bindings);
    const [, forged = new Uint8Array()] = typing(5, "ab");
    const stolen = accept(
      row({ version: 3, actorId: "Ben", clientIds: [5], update: forged }, start),
      bindings,
    );
    const unbound = accept(
      row({ version: 4, actorId: "Ben", update: payload(typing(6, "x")) }, start),
      bindings,
    );
    expect(stolen.anomalies).toEqual([
      { version: 3, index: 0, actorId: "Ben", reason: "foreign-client" },
    ]);
    expect(unbound.anomalies).toEqual([
      { version: 4, index: 0, actorId: "Ben", reason: "foreign-client" },
    ]);
    const after = accept(
      row({ version: 5, actorId: "Ana", update: typing(5, "ab")[1] ?? null }, start),
      bindings,
    );
    expect(after.edits).toHaveLength(1);
  });

  it("rejects an edit whose dependency the log lacks, and edits that build on it [ADMIT-3]", () => {
    const [, second = new Uint8Array(), third = new Uint8Array()] = typing(5, "abc");
    const { edits, anomalies } = accept(
      row({ version: 2, actorId: "Ana", clientIds: [5], update: payload([second, third]) }, start),
      noBindings(nowhere),
    );
    expect(edits).toEqual([]);
    expect(anomalies.map(({ reason }) => reason)).toEqual(["gap", "gap"]);
  });

  it("flags an unreadable payload or update, and not an event without either [ADMIT-1]", () => {
    const bindings = noBindings(nowhere);
    const broken = accept(
      row({ version: 2, actorId: "Ana", update: new Uint8Array([0, 0, 9, 1]) }, start),
      bindings,
    );
    const noUpdate = accept(
      row({ version: 3, actorId: "Ana", update: new Uint8Array([9, 9, 9]) }, start),
      bindings,
    );
    expect([...broken.anomalies, ...noUpdate.anomalies].map(({ reason }) => reason)).toEqual([
      "malformed",
      "malformed",
    ]);
    expect(accept(row({ version: 4, actorId: "Ana" }, start), bindings)).toEqual({
      edits: [],
      anomalies: [],
    });
  });

  const struct = (clock: number, more: Partial<Struct>): Struct => ({
    ...{
      info: 4,
      clock,
      length: 1,
      origin: null,
      rightOrigin: null,
      parent: null,
      parentSub: null,
    },
    ...{
      rootName: new TextEncoder().encode("default"),
      content: new Uint8Array([1, 120]),
      ...more,
    },
  });
  const after = (clock: number) => ({ info: 0x84, origin: { client: 5, clock }, rootName: null });
  const before = (clock: number) => ({
    info: 0x44,
    rightOrigin: { client: 5, clock },
    rootName: null,
  });
  test.each([
    ["itself", [struct(0, after(0))], "gap"],
    ["a later struct", [struct(0, after(1)), struct(1, {})], "gap"],
    ["a later right neighbour", [struct(0, before(1)), struct(1, {})], "gap"],
    [
      "a later parent",
      [struct(0, { rootName: null, parent: { client: 5, clock: 1 } }), struct(1, {})],
      "gap",
    ],
    [
      "a root whose name is not UTF-8",
      [struct(0, { rootName: new Uint8Array([0xff]) })],
      "malformed",
    ],
    [
      "a root named __proto__",
      [struct(0, { rootName: new TextEncoder().encode("__proto__") })],
      "malformed",
    ],
  ])(
    "rejects an edit that depends on %s, on which Yjs would break [ADMIT-3]",
    (_, structs, reason) => {
      const update = writeUpdate({ blocks: [{ client: 5, clock: 0, structs }], deletes: [] });
      const { edits, anomalies } = accept(
        row({ version: 2, actorId: "Ana", clientIds: [5], update }, start),
        noBindings(nowhere),
      );
      expect([edits.length, anomalies[0]?.reason]).toEqual([0, reason]);
    },
  );

  it("rejects millions of empty ticks, in one edit or in many [ADMIT-1]", () => {
    const empty = (clock: number, length: number) => {
      const content = new Uint8Array([
        (length & 0x7f) | 0x80,
        ((length >> 7) & 0x7f) | 0x80,
        ((length >> 14) & 0x7f) | 0x80,
        length >> 21,
      ]);
      return writeUpdate({
        blocks: [{ client: 5, clock, structs: [struct(clock, { info: 1, length, content })] }],
        deletes: [],
      });
    };
    const fields = { version: 2, actorId: "Ana", clientIds: [5] };
    expect(
      accept(row({ ...fields, update: empty(0, 2 ** 24) }, start), noBindings(nowhere)).anomalies,
    ).toMatchObject([{ reason: "malformed" }]);
    const many = payload(Array.from({ length: 20 }, (_, index) => empty(index * 2 ** 17, 2 ** 17)));
    const { edits, anomalies } = accept(
      row({ ...fields, update: many }, start),
      noBindings(nowhere),
    );
    expect([edits.length, anomalies.length]).toEqual([8, 12]);
  });
});
