import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { decodeEdits, encodeEdits, frameMs, hasHeader, PayloadError } from "./payload";
import type { Edit } from "./payload";
import { maxClients } from "./payload-clients";
import { payloadDictionary } from "./payload-dictionary";
import { declaredLoad, form, loadOf } from "./payload-load";
import { cases } from "@/events/core/cases.fixture";
import { inspectUpdate } from "@/events/crdt/updates/update-inspection";
import { gestureWith, richEdits } from "@/events/crdt/updates/rich-edits.fixture";

const gesture = gestureWith(
  fc.oneof(
    fc.constantFrom("a", "é", "漢", "👩‍👩‍👧", "the quick", "\u{1f600}"),
    fc.string({ unit: "grapheme", maxLength: 12 }),
  ),
);
const session = fc.array(gesture, { minLength: 1, maxLength: 60 }).map(richEdits);
const start = Date.UTC(2026, 10, 14, 15, 42, 7, 123);

function timed(updates: { update: Uint8Array }[], gaps: number[]): Edit[] {
  let time = start;
  return updates.map(({ update }, index) => {
    if (index > 0) time += gaps[index % gaps.length] ?? 0;
    return { update, time };
  });
}

function typing(letters: string[]): Edit[] {
  const doc = new Y.Doc();
  const edits: Edit[] = [];
  const text = doc.getText("t");
  doc.on("update", (update: Uint8Array) =>
    edits.push({ update, time: start + edits.length * 160 }),
  );
  for (const letter of letters) {
    if (letter === "<") text.delete(text.length - 1, 1);
    else text.insert(text.length, letter);
  }
  return edits;
}

describe("payload", () => {
  it("returns every update byte for byte [PAYLOAD-1]", () => {
    fc.assert(
      fc.property(session, fc.array(fc.nat(5000), { minLength: 1 }), (updates, gaps) => {
        const edits = timed(updates, gaps);
        const back = decodeEdits(encodeEdits(edits), start);
        expect(back.map(({ update }) => Buffer.from(update).toString("hex"))).toEqual(
          edits.map(({ update }) => Buffer.from(update).toString("hex")),
        );
        for (const [index, edit] of back.entries()) {
          expect(Math.abs(edit.time - (edits[index]?.time ?? 0))).toBeLessThanOrEqual(frameMs / 2);
        }
      }),
      { numRuns: cases(150) },
    );
  });

  it("encodes inspected updates to the same bytes, from their parsed parts [SYNC-88]", () => {
    fc.assert(
      fc.property(session, fc.array(fc.nat(5000), { minLength: 1 }), (updates, gaps) => {
        const edits = timed(updates, gaps);
        let reads = 0;
        const inspected = edits.map((edit) => {
          const { parts } = inspectUpdate(edit.update);
          return {
            ...edit,
            inspected: {
              get parts() {
                reads += 1;
                return parts;
              },
            },
          };
        });
        expect(encodeEdits(inspected)).toEqual(encodeEdits(edits));
        expect(reads).toBe(edits.length);
      }),
      { numRuns: cases(50) },
    );
  });

  it("returns bytes that are no update as they are [PAYLOAD-1]", () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 20 }),
        (raw) => {
          const edits = timed(
            raw.map((update) => ({ update })),
            [40],
          );
          expect(decodeEdits(encodeEdits(edits), start).map(({ update }) => [...update])).toEqual(
            raw.map((update) => [...update]),
          );
        },
      ),
    );
  });

  it("returns edits that name more clients than one payload may [PAYLOAD-1]", () => {
    const doc = new Y.Doc();
    const text = doc.getText("t");
    for (let client = 1; client <= maxClients + 10; client += 1) {
      doc.clientID = client;
      text.insert(0, "x");
    }
    doc.clientID = maxClients + 11;
    const edits: Edit[] = [];
    doc.on("update", (update: Uint8Array) =>
      edits.push({ update, time: start + edits.length * 160 }),
    );
    text.delete(0, text.length);
    text.insert(0, "New text");
    const payload = encodeEdits(edits);
    expect(decodeEdits(payload, start).map(({ update }) => [...update])).toEqual(
      edits.map(({ update }) => [...update]),
    );
    expect(loadOf(payload).bytes).toBeLessThan(8 * payload.length);
  });

  it("costs two bytes a letter in a long run, and one a backspace [PAYLOAD-2]", () => {
    const letters = typing("Every newspaper gets things wrong, and so do we".split(""));
    const erased = typing(["x".repeat(60), ..."<".repeat(50).split("")]).slice(1);
    expect(encodeEdits(letters).length).toBeLessThan(letters.length * 2 + 24);
    expect(encodeEdits(erased).length).toBeLessThan(erased.length + 24);
  });

  it("reads a payload without the header as one plain update [PAYLOAD-3]", () => {
    const [edit] = typing(["a"]);
    const update = edit?.update ?? new Uint8Array();
    expect(hasHeader(update)).toBe(false);
    expect(decodeEdits(update, start)).toEqual([{ update, time: start }]);
    expect(decodeEdits(new Uint8Array([0, 0]), start)).toEqual([
      { update: new Uint8Array([0, 0]), time: start },
    ]);
  });

  it("never lets time run backwards [PAYLOAD-4]", () => {
    const edits = typing(["a", "b", "c", "d"]).map((edit, index) => ({
      ...edit,
      time: start + [0, 900, 400, 950][index]!,
    }));
    const times = decodeEdits(encodeEdits(edits), start).map(({ time }) => time - start);
    expect(times).toEqual([0, 896, 896, 944]);
  });

  it("refuses a bomb, an excessive count and an unknown form [PAYLOAD-5]", () => {
    const bomb = deflateRawSync(new Uint8Array(64 * 1024 * 1024), {
      level: 9,
      dictionary: payloadDictionary,
    });
    expect(() => decodeEdits(new Uint8Array([0, 0, 2, ...bomb]), start)).toThrow(PayloadError);
    const count = [0x82, 0x80, 0x80, 0x80, 0x08];
    expect(() => decodeEdits(new Uint8Array([0, 0, 1, ...count]), start)).toThrow(PayloadError);
    expect(() => decodeEdits(new Uint8Array([0, 0, 9]), start)).toThrow(PayloadError);
  });

  it("states a load that its own size and its edits bound [PAYLOAD-7]", () => {
    fc.assert(
      fc.property(session, (updates) => {
        const edits = timed(updates, [40]);
        const payload = encodeEdits(edits);
        const { bytes, pieces, cuts } = loadOf(payload);
        const brought = edits.reduce(
          (sum, { update }) => sum + Y.decodeUpdate(update).structs.length,
          0,
        );
        expect(cuts).toBe(brought === 0);
        expect(pieces).toBeLessThanOrEqual(Math.max(payload.length, brought));
        expect(bytes).toBeLessThanOrEqual(
          Math.max(
            payload.length * 4,
            edits.reduce((sum, { update }) => sum + update.length + 8, 0),
          ),
        );
        expect(payload[2]).not.toBe(form.deflated);
      }),
      { numRuns: cases(200) },
    );
  });

  it("declares the load that deflate hides, and refuses more than was declared [PAYLOAD-7]", () => {
    const payload = encodeEdits(typing(["a".repeat(2_000_000)]));
    expect(payload[2]).toBe(form.declared);
    const { bytes, pieces } = loadOf(payload);
    expect([bytes, pieces]).toEqual([bytes, 1]);
    expect(bytes).toBeGreaterThanOrEqual(2_000_000);
    expect(decodeEdits(payload, start)).toHaveLength(1);
    const lying = (bytes: number, pieces: number) =>
      Uint8Array.from([
        0,
        0,
        form.declared,
        ...declaredLoad(bytes, pieces),
        ...payload.subarray(11),
      ]);
    expect(() => decodeEdits(lying(bytes - 1, pieces), start)).toThrow(PayloadError);
    expect(() => decodeEdits(lying(bytes, 0), start)).toThrow(PayloadError);
    expect(() =>
      decodeEdits(Uint8Array.from([0, 0, form.close, ...payload.subarray(11)]), start),
    ).toThrow(PayloadError);
    expect(() => decodeEdits(Uint8Array.from([0, 0, form.declared, 0, 0]), start)).not.toThrow(
      RangeError,
    );
    const brings = encodeEdits(typing(["a", "b", "c"]));
    expect(() =>
      decodeEdits(
        Uint8Array.from([0, 0, form.cuts, (brings[2] ?? 0) & 0x7f, ...brings.subarray(3)]),
        start,
      ),
    ).toThrow(PayloadError);
  });

  it("reads payloads of older releases, which declare no load [PAYLOAD-7]", () => {
    const payload = encodeEdits(
      typing(
        "Every newspaper gets things wrong, and so do we, time and again. It is what comes next that matters.".split(
          "",
        ),
      ),
    );
    expect(payload[2]).toBe(form.close);
    const old = Uint8Array.from([0, 0, form.deflated, ...payload.subarray(3)]);
    expect(decodeEdits(old, start)).toEqual(decodeEdits(payload, start));
    expect(loadOf(old).bytes).toBeGreaterThan(old.length * 1000);
  });

  it("decodes a mutated payload or throws a named error [PAYLOAD-5]", () => {
    let refused = 0;
    fc.assert(
      fc.property(
        session,
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        (updates, flips) => {
          const payload = encodeEdits(timed(updates, [40]));
          for (const [at, value] of flips) payload[at % payload.length] = value;
          try {
            for (const { update } of decodeEdits(payload, start))
              expect(update).toBeInstanceOf(Uint8Array);
          } catch (error) {
            expect(error).toBeInstanceOf(PayloadError);
            refused += 1;
          }
        },
      ),
      { numRuns: cases(600) },
    );
    expect(refused).toBeGreaterThan(cases(50));
  });
});
