import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { cases } from "@/events/core/cases.fixture";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { documentAt } from "@/events/history/timeline/document-text";
import { standInPlace } from "@/events/crdt/payload/tombstone-payload";
import { redact } from "@/events/crdt/payload/redaction";
import { forkOf, mergeOf } from "./fork";
import { row } from "@/events/history/timeline/rows.fixture";
import type { TimelineRow } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";

const parent = "00000000-0000-4000-8000-00000000000a";
const fork = "00000000-0000-4000-8000-00000000000b";
const other = "00000000-0000-4000-8000-00000000000c";
const start = Date.UTC(2026, 10, 14);

const changeKind = fc.record({
  inFork: fc.boolean(),
  who: fc.nat(1),
  at: fc.nat(60),
  size: fc.nat(4),
  word: fc.constantFrom("alpha ", "beta ", "é", ""),
  block: fc.nat(9),
});
type ChangeKind = {
  inFork: boolean;
  who: number;
  at: number;
  size: number;
  word: string;
  block: number;
};

function act(doc: Y.Doc, { at, size, word, block }: ChangeKind): void {
  const root = doc.getXmlFragment("default");
  if (root.length === 0 || block === 0) {
    const paragraph = new Y.XmlElement("paragraph");
    const text = new Y.XmlText();
    text.insert(0, word);
    paragraph.insert(0, [text]);
    root.insert(at % (root.length + 1), [paragraph]);
    return;
  }
  if (block === 1 && root.length > 1) return root.delete(at % root.length, 1);
  const element = root.get(at % root.length);
  const text = element instanceof Y.XmlElement ? element.get(0) : null;
  if (!(text instanceof Y.XmlText)) return;
  if (word !== "") text.insert(at % (text.length + 1), word);
  else if (text.length > 0)
    text.delete(at % text.length, Math.min(size, text.length - (at % text.length)));
}

/** Returns a person's change to the log's current document, as the row that records the change. */
function written(
  rows: TimelineRow[],
  who: number,
  client: number,
  change: ChangeKind,
): TimelineRow[] {
  const doc = new Y.Doc();
  for (const each of rowsState(rows)) Y.applyUpdate(doc, each);
  doc.clientID = client;
  const updates: Uint8Array[] = [];
  doc.on("update", (update: Uint8Array) => updates.push(update));
  doc.transact(() => act(doc, change));
  const [update] = updates;
  return update
    ? [
        ...rows,
        row(
          {
            version: rows.length + 1,
            actorId: ["Ana", "Ben"][who] ?? "",
            clientIds: [client],
            update,
          },
          start + rows.length,
        ),
      ]
    : rows;
}

const rowsState = (rows: TimelineRow[]) => [openTimeline(rows).state()];
const created = () => [
  row({ version: 1, actorId: "Ana", type: "document.created", body: { title: "" } }, start),
];
const withCopyIn = (
  rows: TimelineRow[],
  type: string,
  pieces: { update: Uint8Array; clientIds: number[] }[],
) =>
  pieces.reduce(
    (all, piece) => [
      ...all,
      row({ version: all.length + 1, actorId: "Carol", type, ...piece }, start + all.length),
    ],
    rows,
  );
const reads = (rows: TimelineRow[]) => {
  const timeline = openTimeline(rows);
  expect(timeline.anomalies).toEqual([]);
  return documentAt(timeline.blocks, timeline.length - 1);
};

const known = new Set(["default", "paragraph"]);
/** Returns a log in which a version's event has been redacted. */
const redacted = (rows: TimelineRow[], version: number) => [
  ...rows.map((each) =>
    each.version === version
      ? { ...each, update: standInPlace(redact(each.update, start, known)) }
      : each,
  ),
  row(
    {
      version: rows.length + 1,
      actorId: "Ana",
      type: "document.redacted",
      update: Uint8Array.of(0, 0, 4),
    },
    start + rows.length,
  ),
];

const textblock = (doc: Y.Doc) => {
  const block = doc.getXmlFragment("default").get(0);
  const text = block instanceof Y.XmlElement ? block.get(0) : null;
  if (!(text instanceof Y.XmlText)) throw new Error("there is no line");
  return text;
};
/** Returns a person's change to a document's first textblock, as the row that records it. */
function edited(
  rows: TimelineRow[],
  client: number,
  change: (text: Y.XmlText) => void,
): TimelineRow[] {
  const doc = new Y.Doc();
  for (const each of rowsState(rows)) Y.applyUpdate(doc, each);
  doc.clientID = client;
  const updates: Uint8Array[] = [];
  doc.on("update", (update: Uint8Array) => updates.push(update));
  doc.transact(() => change(textblock(doc)));
  return updates.reduce(
    (all, update) => [
      ...all,
      row(
        { version: all.length + 1, actorId: "Ben", clientIds: [client], update },
        start + all.length,
      ),
    ],
    rows,
  );
}
const textOf = (rows: TimelineRow[]) => {
  const doc = new Y.Doc();
  for (const each of rowsState(rows)) Y.applyUpdate(doc, each);
  expect(reads(rows)).toBeDefined();
  return textblock(doc).toString();
};
const begun = () =>
  written(created(), 0, 1, { inFork: false, who: 0, at: 0, size: 0, word: "alpha ", block: 0 });
const forked = (rows: TimelineRow[], source = parent) =>
  withCopyIn(created(), "document.forked", forkOf(rows, source));
const mergedInto = (into: TimelineRow[], from: TimelineRow[], source: string) =>
  withCopyIn(into, "document.merged", mergeOf(from, into, source));

describe("a fork", () => {
  it(
    "merged into its parent, and the parent into it, reads as if all had written in one document " +
      "[ACT-9]",
    () => {
      let both = 0;
      fc.assert(
        fc.property(
          fc.array(changeKind, { maxLength: 8 }),
          fc.array(changeKind, { minLength: 2, maxLength: 14 }),
          fc.array(changeKind, { maxLength: 6 }),
          (before, during, after) => {
            let main = before.reduce(
              (rows, each, at) => written(rows, each.who, 1000 + at, each),
              created(),
            );
            let side = withCopyIn(created(), "document.forked", forkOf(main, parent));
            expect(reads(side)).toEqual(reads(main));
            const together = new Y.Doc();
            for (const update of rowsState(main)) Y.applyUpdate(together, update);
            const write = (changes: ChangeKind[], from: number) =>
              changes.forEach((each, at) => {
                if (each.inFork) side = written(side, each.who, from + at, each);
                else main = written(main, each.who, from + at, each);
              });
            write(during, 2000);
            if (during.some(({ inFork }) => inFork) && during.some(({ inFork }) => !inFork))
              both += 1;
            main = withCopyIn(main, "document.merged", mergeOf(side, main, fork));
            write(after, 3000);
            main = withCopyIn(main, "document.merged", mergeOf(side, main, fork));
            side = withCopyIn(side, "document.merged", mergeOf(main, side, parent));
            for (const update of [...rowsState(main), ...rowsState(side)])
              Y.applyUpdate(together, update);
            expect(reads(main)).toEqual(reads(side));
            expect(mergeOf(side, main, fork)).toEqual([]);
            const timeline = openTimeline(main);
            expect(documentAt(timeline.blocks, timeline.length - 1)).toEqual(reads(main));
            const plain = new Y.Doc();
            Y.applyUpdate(plain, timeline.state());
            expect(plain.getXmlFragment("default").toString()).toBe(
              together.getXmlFragment("default").toString(),
            );
          },
        ),
        { numRuns: cases(60) },
      );
      expect(both).toBeGreaterThan(cases(20));
    },
  );

  it("of an empty document is empty, and brings back what was written in it [ACT-9]", () => {
    const main = created();
    const side = written(withCopyIn(created(), "document.forked", forkOf(main, parent)), 1, 7, {
      inFork: true,
      who: 1,
      at: 0,
      size: 0,
      word: "alpha ",
      block: 0,
    });
    const merged = withCopyIn(main, "document.merged", mergeOf(side, main, fork));
    expect(reads(merged)).toEqual(reads(side));
  });

  it(
    "with a redacted beginning removes nothing where it is merged, and brings later text and " +
      "deletions [FORK-11]",
    () => {
      const main = begun();
      let side = edited(
        forked(main),
        5,
        (text) => (text.insert(6, "omega "), text.insert(6, "delta ")),
      );
      side = edited(redacted(side, 2), 6, (text) => text.delete(0, 6));
      expect(textOf(side)).toBe("omega ");
      let merged = mergedInto(main, side, fork);
      expect(textOf(merged)).toBe("alpha omega ");
      expect(mergeOf(side, merged, fork)).toEqual([]);
      side = mergedInto(
        side,
        edited(merged, 8, (text) => text.insert(0, "zero ")),
        parent,
      );
      expect(textOf(side)).toBe("zero omega ");
      // Text that a person deleted before the merge stays deleted.
      merged = mergedInto(
        main,
        redacted(
          edited(forked(main), 9, (text) => text.delete(0, 3)),
          2,
        ),
        fork,
      );
      expect(textOf(merged)).toBe("ha ");
    },
  );

  it("with a redacted beginning removes nothing, even merged through a fork of the fork [FORK-11]", () => {
    const main = begun();
    let side = redacted(
      edited(forked(main), 5, (text) => text.insert(6, "omega ")),
      2,
    );
    side = mergedInto(
      side,
      edited(forked(side, fork), 6, (text) => text.insert(text.length, "delta ")),
      other,
    );
    expect(textOf(side)).toBe("omega delta ");
    expect(textOf(mergedInto(main, side, fork))).toBe("alpha omega delta ");
  });

  it("merged after a redaction of its beginning reads as if nothing had been redacted [FORK-11]", () => {
    let count = 0;
    fc.assert(
      fc.property(
        fc.array(changeKind, { minLength: 1, maxLength: 8 }),
        fc.array(changeKind, { minLength: 1, maxLength: 10 }),
        fc.array(changeKind, { maxLength: 6 }),
        (before, inFork, inMain) => {
          const main = before.reduce(
            (rows, each, at) => written(rows, each.who, 1000 + at, each),
            created(),
          );
          const whole = inFork.reduce(
            (rows, each, at) => written(rows, each.who, 2000 + at, each),
            forked(main),
          );
          const later = inMain.reduce(
            (rows, each, at) => written(rows, each.who, 3000 + at, each),
            main,
          );
          const merged = reads(mergedInto(later, redacted(whole, 2), fork));
          expect(merged).toEqual(reads(mergedInto(later, whole, fork)));
          if (JSON.stringify(merged).includes("alpha") && whole.length > 2) count += 1;
        },
      ),
      { numRuns: cases(60) },
    );
    expect(count).toBeGreaterThan(cases(15));
  });

  it("of a revision inside an event holds the text of that revision, and gets the rest by a merge [ACT-9]", () => {
    const doc = new Y.Doc();
    doc.clientID = 7;
    const edits: { update: Uint8Array; time: number }[] = [];
    doc.on("update", (update: Uint8Array) =>
      edits.push({ update, time: start + edits.length * 100 }),
    );
    const textblock = new Y.XmlText();
    const paragraph = new Y.XmlElement("paragraph");
    paragraph.insert(0, [textblock]);
    doc.getXmlFragment("default").insert(0, [paragraph]);
    for (const letter of "Written on a train.") textblock.insert(textblock.length, letter);
    textblock.delete(0, 8);
    const main = [
      ...created(),
      row({ version: 2, actorId: "Ana", clientIds: [7], update: encodeEdits(edits) }, start),
    ];
    const timeline = openTimeline(main);
    for (let index = 1; index < timeline.length; index += 1) {
      const { version, edit } = timeline.revision(index);
      const side = withCopyIn(
        created(),
        "document.forked",
        forkOf(main.slice(0, version), parent, edit),
      );
      expect(reads(side)).toEqual(documentAt(timeline.blocks, index));
      expect(reads(withCopyIn(side, "document.merged", mergeOf(main, side, parent)))).toEqual(
        reads(main),
      );
    }
  });
});
