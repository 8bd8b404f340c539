import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { cases } from "@/events/core/cases.fixture";
import { accept, noBindings } from "@/events/crdt/validation/validation";
import type { Bindings } from "@/events/crdt/validation/validation";
import { nowhere } from "@/events/content/nowhere.fixture";
import { inAppends } from "@/events/log/append-size";
import { copyInEvents, splitState } from "./copy-in-events";
import type { PieceLimits } from "./copy-in-events";
import { copyInPayload, readCopyIn } from "@/events/crdt/payload/copy-in-payload";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { maxClients } from "@/events/crdt/payload/payload-clients";
import { authoredRows } from "@/events/history/timeline/authored-rows.fixture";
import type { Act } from "@/events/history/timeline/authored-rows.fixture";
import { row, unknownSchema } from "@/events/history/timeline/rows.fixture";
import { seededRandom } from "@/events/core/virtual-clock.fixture";
import { attribute } from "@/events/analysis/lineage/lineage";

const parent = "00000000-0000-4000-8000-00000000000a";
const other = "00000000-0000-4000-8000-00000000000b";
const start = Date.UTC(2026, 10, 14);
const small: PieceLimits = { bytes: 60, structs: 5, clients: 2, emptyTicks: 3, deletes: 2 };

const act = fc.record({
  who: fc.nat(2),
  at: fc.nat(200),
  text: fc.string({ minLength: 1, maxLength: 5 }),
  erase: fc.nat(4),
  sync: fc.boolean(),
});
const histories = fc.array(act, { minLength: 1, maxLength: 40 });

function stateAfter(acts: Act[]): Uint8Array {
  const fold = new ConfirmedDocument(null);
  for (const each of authoredRows(acts)) fold.integrate(each);
  return Y.encodeStateAsUpdate(fold.doc);
}

const xml = (doc: Y.Doc) => doc.getText("t").toDelta() as unknown;
const created = () =>
  row({ version: 1, actorId: "Carol", type: "document.created", body: { title: "" } }, start);
const copyInRows = (state: Uint8Array, source = parent, limits?: PieceLimits, from = 2) =>
  copyInEvents(state, source, limits).map((piece, index) =>
    row(
      {
        version: from + index,
        actorId: "Carol",
        type: "document.forked",
        schema: unknownSchema,
        ...piece,
      },
      start,
    ),
  );

function reading(rows: ReturnType<typeof row>[]): ConfirmedDocument {
  const fold = new ConfirmedDocument(null);
  for (const each of [created(), ...rows]) fold.integrate(each);
  return fold;
}

describe("a copied-in state", () => {
  it("[FORK-4] reads as in its source, however it is cut", () => {
    fc.assert(
      fc.property(histories, (acts) => {
        const state = stateAfter(acts);
        for (const limits of [undefined, small]) {
          const fold = reading(copyInRows(state, parent, limits));
          expect(fold.anomalies).toEqual([]);
          const expected = new Y.Doc();
          Y.applyUpdate(expected, state);
          expect(xml(fold.doc)).toEqual(xml(expected));
        }
      }),
      { seed: 7, numRuns: cases(60) },
    );
  });

  it("[FORK-4] is cut inside a paragraph that is longer than an event may be", () => {
    const doc = new Y.Doc();
    const chance = seededRandom(3);
    // The text is incompressible.
    const words = Array.from({ length: 330_000 }, () =>
      String.fromCodePoint(0x4e00 + chance.below(20_000)),
    ).join("");
    doc.getText("t").insert(0, words);
    const pieces = copyInEvents(Y.encodeStateAsUpdate(doc), parent);
    expect(pieces.map(({ update }) => update.length).filter((bytes) => bytes > 512 * 1024)).toEqual(
      [],
    );
    const fold = reading(copyInRows(Y.encodeStateAsUpdate(doc)));
    expect(fold.anomalies).toEqual([]);
    expect(fold.doc.getText("t").toString() === words).toBe(true);
  });

  it(
    "[FORK-4] is cut so that no piece names more clients than a payload may, after any number of " +
      "writers",
    () => {
      const doc = new Y.Doc();
      const text = doc.getText("t");
      const writers = maxClients + 500;
      doc.transact(() => {
        for (let client = 1; client <= writers; client += 1) {
          doc.clientID = client;
          // Each edit depends on the previous one.
          text.insert(text.length, client % 2 === 0 ? "a" : "bc");
        }
        for (let at = 0; at < writers / 2; at += 1) text.delete(2 * at, 1);
      });
      const state = Y.encodeStateAsUpdate(doc);
      const fold = reading(copyInRows(state));
      expect(fold.anomalies).toEqual([]);
      expect(fold.doc.getText("t").toString()).toBe(text.toString());
    },
  );

  it("[FORK-4] is cut into pieces only if it exceeds a limit", () => {
    const state = stateAfter([
      { who: 0, at: 0, text: "abcdefghij", erase: 0, sync: true },
      { who: 1, at: 5, text: "x", erase: 0, sync: true },
      { who: 0, at: 0, text: "", erase: 10, sync: true },
    ]);
    expect(splitState(state, small).length).toBeGreaterThan(2);
    expect(copyInEvents(state, parent).length).toBe(1);
  });

  it("[FORK-5] rejects an edit under a client id of its source, even from the person who wrote there", () => {
    const rows = authoredRows([{ who: 0, at: 0, text: "words of Ana", erase: 0, sync: true }]);
    const fold = new ConfirmedDocument(null);
    for (const each of rows) fold.integrate(each);
    const doc = new Y.Doc();
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(fold.doc));
    doc.clientID = 100;
    const before = Y.encodeStateVector(doc);
    doc.getText("t").insert(0, "more ");
    const more = Y.encodeStateAsUpdate(doc, before);
    const forked = copyInRows(Y.encodeStateAsUpdate(fold.doc));
    for (const actorId of ["Ana", "Carol"]) {
      const reader = reading([
        ...forked,
        row({ version: 3, actorId, clientIds: [100], schema: unknownSchema, update: more }, start),
      ]);
      expect(reader.anomalies).toMatchObject([{ version: 3, reason: "foreign-client", actorId }]);
      expect(reader.doc.getText("t").toString()).toBe("words of Ana");
    }
  });

  const accepted = (rows: ReturnType<typeof row>[], bindings: Bindings = noBindings(nowhere)) =>
    rows.map((each) => accept(each, bindings).anomalies.map(({ reason }) => reason));

  it(
    "[FORK-5] is rejected under a client id that it does not declare, or that a person or " +
      "another source has",
    () => {
      const state = stateAfter([{ who: 0, at: 0, text: "a", erase: 0, sync: true }]);
      const [honest] = copyInRows(state);
      if (!honest) throw new Error("nothing to carry");
      expect(accepted([{ ...honest, clientIds: [] }])).toEqual([["foreign-client"]]);
      const typed = row(
        {
          version: 2,
          actorId: "Ben",
          clientIds: [100],
          schema: unknownSchema,
          update: encodeEdits([{ update: state, time: start }]),
        },
        start,
      );
      expect(accepted([typed, honest])).toEqual([[], ["foreign-client"]]);
      expect(accepted([honest, ...copyInRows(state, other)])).toEqual([[], ["foreign-client"]]);
      expect(accepted([honest, honest])).toEqual([[], []]);
    },
  );

  it("[FORK-5] is rejected inside another copied-in state", () => {
    const state = stateAfter([{ who: 0, at: 0, text: "a", erase: 0, sync: true }]);
    const [inner] = copyInEvents(state, parent);
    if (!inner) throw new Error("nothing to carry");
    const nested = row(
      {
        version: 2,
        actorId: "Carol",
        clientIds: inner.clientIds,
        update: copyInPayload({ source: other, payload: inner.update }),
      },
      start,
    );
    expect(accepted([nested])).toEqual([["malformed"]]);
  });

  it("[FORK-4] names its source in its first bytes", () => {
    const payload = Uint8Array.of(1, 2, 3);
    expect(readCopyIn(copyInPayload({ source: parent, payload }))).toEqual({
      source: parent,
      payload,
    });
    for (const bytes of [[], [0, 0], [0, 0, 3], [0, 0, 2, ...new Array<number>(20).fill(1)]])
      expect(readCopyIn(Uint8Array.from(bytes))).toBeNull();
  });
});

describe("authors of copied-in text", () => {
  const sourceOf = (acts: Act[]) => ({ rows: authoredRows(acts), state: stateAfter(acts) });

  it("[FORK-6] come from the log of its source, for every character", () => {
    fc.assert(
      fc.property(histories, (acts) => {
        const { rows, state } = sourceOf(acts);
        const authorOf = new Map(
          [100, 101, 102].map((client, who) => [client, ["Ana", "Ben", "Carol"][who] ?? ""]),
        );
        for (const { client, origin } of attribute(state, rows))
          expect(origin?.actorId).toBe(authorOf.get(client));
        const length = attribute(state, rows).reduce((sum, range) => sum + range.length, 0);
        const doc = new Y.Doc();
        Y.applyUpdate(doc, state);
        expect(length).toBe(doc.getText("t").length);
      }),
      { seed: 11, numRuns: cases(60) },
    );
  });

  it("[FORK-6] are unknown for words that the source does not hold", () => {
    const { rows, state } = sourceOf([
      { who: 0, at: 0, text: "I agree to nothing", erase: 0, sync: true },
    ]);
    const text = new TextEncoder();
    const forged = Buffer.from(state);
    forged.set(text.encode("ever"), forged.indexOf("noth"));
    expect(attribute(new Uint8Array(forged), rows)).toMatchObject([{ client: 100, origin: null }]);
    const doc = new Y.Doc();
    Y.applyUpdate(doc, state);
    doc.clientID = 100;
    doc.getText("t").insert(doc.getText("t").length, "!!");
    const longer = attribute(Y.encodeStateAsUpdate(doc), rows);
    expect(longer).toMatchObject([
      { length: 18, origin: { actorId: "Ana", version: 2 } },
      { length: 2, origin: null },
    ]);
    expect(attribute(state, [])).toMatchObject([{ length: 18, origin: null }]);
  });

  it("[FORK-6] refer to the earlier source where the source copied the text in", () => {
    const state = stateAfter([{ who: 0, at: 0, text: "words", erase: 0, sync: true }]);
    expect(attribute(state, [created(), ...copyInRows(state, other)])).toMatchObject([
      { origin: { actorId: "Carol", source: other } },
    ]);
  });

  it("[FORK-3] pieces of a copied-in state go in as few requests as a backend takes, in order", () => {
    const piece = (bytes: number) => ({ update: new Uint8Array(bytes), clientIds: [] });
    const sizes = (pieces: readonly number[]) =>
      inAppends(pieces.map((kilobytes) => piece(kilobytes * 1024))).map((request) =>
        request.map(({ update }) => update.length / 1024),
      );
    expect(sizes([1, 2, 3])).toEqual([[1, 2, 3]]);
    expect(sizes([384, 384, 100, 28, 1])).toEqual([[384], [384, 100, 28], [1]]);
    expect(sizes([600, 1])).toEqual([[600], [1]]);
    expect(sizes([])).toEqual([]);
  });
});
