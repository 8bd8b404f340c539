import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { ByteWriter } from "@/events/core/bytes/bytes";
import { gestureWith, richEdits } from "./rich-edits.fixture";
import { inspectUpdate } from "./update-inspection";
import { readUpdate, UpdateError, withoutDeletes, writeUpdate } from "./yjs-update";

const gesture = gestureWith(fc.string({ unit: "grapheme", maxLength: 12 }));
const session = fc.array(gesture, { minLength: 1, maxLength: 40 }).map(richEdits);

function bytes(write: (writer: ByteWriter) => void): Uint8Array {
  const writer = new ByteWriter();
  write(writer);
  return writer.result();
}

describe("inspectUpdate", () => {
  it("sees the structs and deletions that Yjs sees, and writes back the same bytes [UPDATE-1]", () => {
    fc.assert(
      fc.property(session, (edits) => {
        for (const { update } of edits) {
          const ours = inspectUpdate(update);
          const theirs = Y.decodeUpdate(update);
          expect(
            ours.structs.map(({ client, clock, length }) => ({ client, clock, length })),
          ).toEqual(
            theirs.structs.map(({ id, length }) => ({
              client: id.client,
              clock: id.clock,
              length,
            })),
          );
          expect(ours.deletes).toEqual(
            [...theirs.ds.clients].flatMap(([client, items]) =>
              items.map(({ clock, len }) => ({ client, clock, length: len })),
            ),
          );
          expect(Buffer.from(writeUpdate(readUpdate(update)))).toEqual(Buffer.from(update));
        }
      }),
    );
  });

  it("lists every dependency of an update [UPDATE-2]", () => {
    const doc = new Y.Doc();
    doc.clientID = 5;
    const text = doc.getText("t");
    text.insert(0, "ac");
    const updates: Uint8Array[] = [];
    doc.on("update", (update: Uint8Array) => updates.push(update));
    text.insert(1, "b");
    expect(inspectUpdate(updates[0] ?? new Uint8Array()).structs).toEqual([
      {
        client: 5,
        clock: 2,
        length: 1,
        dependsOn: [
          { client: 5, clock: 0 },
          { client: 5, clock: 1 },
        ],
      },
    ]);
  });

  it("parses a mutated update or throws a named error [UPDATE-3]", () => {
    let refused = 0;
    fc.assert(
      fc.property(session, fc.nat(), fc.nat(255), fc.boolean(), (edits, at, value, cut) => {
        const update = edits[at % edits.length]?.update.slice() ?? new Uint8Array();
        const hostile = cut ? update.subarray(0, at % update.length) : update;
        if (!cut) hostile[at % hostile.length] = value;
        try {
          inspectUpdate(hostile);
        } catch (error) {
          expect(error).toBeInstanceOf(UpdateError);
          refused += 1;
        }
      }),
      { numRuns: 1000 },
    );
    expect(refused).toBeGreaterThan(200);
  });

  it("refuses hostile counts, clocks, depths and keys [UPDATE-3]", () => {
    const manyStructs = bytes((writer) =>
      [1, 2 ** 40, 1, 0].forEach((number) => writer.varUint(number)),
    );
    const hugeClock = bytes((writer) =>
      [0, 1, 1, 1, 2 ** 52, 1].forEach((number) => writer.varUint(number)),
    );
    const deep = new Y.Doc();
    let parent: Y.XmlFragment | Y.XmlElement = deep.getXmlFragment("default");
    deep.transact(() => {
      for (let depth = 0; depth < 100; depth += 1) {
        const child = new Y.XmlElement("blockquote");
        parent.insert(0, [child]);
        parent = child;
      }
    });
    const poisoned = new Y.Doc();
    poisoned.getMap("m").set("__proto__", 1);
    for (const update of [
      manyStructs,
      hugeClock,
      Y.encodeStateAsUpdate(deep),
      Y.encodeStateAsUpdate(poisoned),
    ]) {
      expect(() => inspectUpdate(update)).toThrow(UpdateError);
    }
  });

  it("removes deletions and nothing else [UPDATE-4]", () => {
    fc.assert(
      fc.property(session, (edits) => {
        for (const { update } of edits) {
          const { parts, ...whole } = inspectUpdate(update);
          const { parts: partsLeft, ...left } = inspectUpdate(withoutDeletes(update));
          expect(left).toEqual({ ...whole, deletes: [] });
          expect(partsLeft).toEqual({ ...parts, deletes: [] });
        }
      }),
    );
  });
});
