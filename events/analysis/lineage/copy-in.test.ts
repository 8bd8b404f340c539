import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { accountOfChanges } from "@/events/analysis/account-of-changes";
import { countWords } from "@/events/content/word-count";
import { passagesAt, sharesAt } from "@/events/analysis/attribution";
import { ContentOrigin, contentOriginOf } from "./copy-in";
import { cases } from "@/events/core/cases.fixture";
import { forkOf } from "@/events/revisions/fork";
import { attributeTexts, copiedTexts } from "./lineage";
import { lifeOfPassage } from "@/events/analysis/passage";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { richEdits } from "@/events/crdt/updates/rich-edits.fixture";
import type { Gesture } from "@/events/crdt/updates/rich-edits.fixture";
import { row, stream } from "@/events/history/timeline/rows.fixture";
import { statisticsOf } from "@/events/analysis/statistics";
import type { TimelineRow } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";

const source = "00000000-0000-4000-8000-00000000000a";
const start = Date.UTC(2026, 10, 14);
const people = new Map([
  [3_141_592_653, "Ana"],
  [7, "Ben"],
  [2 ** 40 + 1, "Carol"],
]);
const anyGestures = fc.array(
  fc.record({
    kind: fc.nat(8),
    at: fc.nat(20),
    size: fc.nat(9),
    writer: fc.nat(2),
    word: fc.constantFrom("the quick ", "a", "über ", "\u{1f600}"),
  }),
  { minLength: 2, maxLength: 25 },
);

const written = (gestures: Gesture[]) =>
  stream(
    "Minutes",
    richEdits(gestures).map(({ client, update }, index) => [
      { update, time: start + index * 200, actorId: people.get(client) ?? "" },
    ]),
  );

/** Creates a document as Mia's copy of another one, in one event. */
function copiedFrom(rows: TimelineRow[], type: string, body = {}) {
  const pieces = forkOf(rows, source);
  const created = row(
    { version: 1, actorId: "Mia", type: "document.created", body: { title: "Copy" } },
    start,
  );
  const copyIns = pieces.map((piece, index) =>
    row(
      {
        version: index + 2,
        actorId: "Mia",
        type,
        body: { document: source, version: rows.length, ...body },
        ...piece,
      },
      start + 9_000_000,
    ),
  );
  return { rows: [created, ...copyIns], payloads: pieces.map(({ update }) => update) };
}

/** Returns the author of each standing character, in page order. */
function writersOf(rows: TimelineRow[], contentOrigin?: ContentOrigin): (string | null)[] {
  const timeline = openTimeline(rows);
  return passagesAt(timeline, timeline.length - 1, contentOrigin).flatMap(
    ({ text, author, imported }) => {
      const writer = imported
        ? (imported.writer?.userId ?? imported.writer?.name ?? null)
        : (timeline.authors[author] ?? "");
      return Array.from(text, () => writer);
    },
  );
}

/** Returns a row in which Mia deletes the whole text, one revision after the last event. */
function erasing(rows: TimelineRow[]): TimelineRow {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, openTimeline(rows).state());
  doc.clientID = 77;
  const before = Y.encodeStateVector(doc);
  const root = doc.getXmlFragment("default");
  root.delete(0, root.length);
  const update = encodeEdits([
    { update: Y.encodeStateAsUpdate(doc, before), time: start + 9_001_000 },
  ]);
  return row({ version: rows.length + 1, actorId: "Mia", update }, start + 9_001_000);
}

const sentence = "The managing editor reads it before it is published.";
const byBen = () => written([{ kind: 0, at: 0, size: 0, writer: 1, word: sentence }]);

describe("copied-in text", () => {
  it("has no author here without the log of its source, and its own authors with it [FORK-9]", () => {
    let letters = 0;
    fc.assert(
      fc.property(anyGestures, (gestures) => {
        const there = written(gestures);
        const { rows, payloads } = copiedFrom(there, "document.forked");
        const timeline = openTimeline(rows);
        expect(new Set(writersOf(rows))).toEqual(new Set(writersOf(there).map(() => null)));
        const contentOrigin = new ContentOrigin(
          timeline,
          attributeTexts(payloads.flatMap(copiedTexts), there),
        );
        expect(writersOf(rows, contentOrigin)).toEqual(writersOf(there));
        letters += writersOf(there).length;
      }),
      { numRuns: cases(60) },
    );
    expect(letters).toBeGreaterThan(100);
  });

  it("has the authors that the imported file names, letter by letter [FORK-9]", () => {
    fc.assert(
      fc.property(anyGestures, (gestures) => {
        const there = written(gestures);
        const authors = [...people].map(([client, name]) => ({ name, clients: [client] }));
        expect(
          writersOf(copiedFrom(there, "document.imported", { label: "“Minutes”", authors }).rows),
        ).toEqual(writersOf(there));
      }),
      { numRuns: cases(40) },
    );
  });

  it("belongs to the person who copied it where the log of its source lacks it [FORK-9]", () => {
    const { rows, payloads } = copiedFrom(byBen(), "document.forked");
    const other = written([{ kind: 0, at: 0, size: 0, writer: 1, word: sentence.toUpperCase() }]);
    const contentOrigin = new ContentOrigin(
      openTimeline(rows),
      attributeTexts(payloads.flatMap(copiedTexts), other),
    );
    expect(new Set(writersOf(rows, contentOrigin))).toEqual(new Set(["Mia"]));
  });

  it("is in no author’s words, share or at-once count, and its shares sum to the whole text [FORK-10]", () => {
    fc.assert(
      fc.property(anyGestures, (gestures) => {
        const timeline = openTimeline(copiedFrom(written(gestures), "document.forked").rows);
        const at = timeline.length - 1;
        const { authors, imported, sessions } = statisticsOf(timeline, at);
        expect(authors).toMatchObject([{ added: 0, removed: 0, atOnce: 0, share: 0 }]);
        expect(sessions.flatMap(({ work }) => work).filter(({ added }) => added > 0)).toEqual([]);
        const length = passagesAt(timeline, at).reduce((sum, { text }) => sum + text.length, 0);
        expect(
          [...sharesAt(timeline, at).imported.values()].reduce((sum, count) => sum + count, 0),
        ).toBe(length);
        if (length > 0) expect(imported.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
      }),
      { numRuns: cases(40) },
    );
  });

  it("counts as removed by the person who deletes it here, even if they copied it [FORK-10]", () => {
    const { rows } = copiedFrom(byBen(), "document.merged");
    const timeline = openTimeline(rows);
    expect(accountOfChanges(timeline, { after: -1, to: timeline.length - 1 })).toEqual([]);
    // The person who copied the text deletes all of it a moment later.
    const erased = openTimeline([...rows, erasing(rows)]);
    const entries = accountOfChanges(erased, { after: -1, to: erased.length - 1 });
    expect(entries).toMatchObject([{ added: 0, removed: countWords(sentence) }]);
  });

  it("begins the life of a passage as imported, with its writer [FORK-9]", () => {
    const { rows } = copiedFrom(byBen(), "document.imported", {
      authors: [{ name: "Ben", clients: [7] }],
    });
    const timeline = openTimeline(rows);
    const [passage] = passagesAt(timeline, timeline.length - 1);
    if (!passage) throw new Error("there is no passage");
    const range = {
      start: { textblock: passage.textblock, offset: passage.from },
      end: { textblock: passage.textblock, offset: passage.to - 1 },
    };
    expect(lifeOfPassage(timeline, range)).toMatchObject([
      {
        added: sentence,
        atOnce: false,
        imported: { copyIn: { type: "document.imported", source }, writers: [{ name: "Ben" }] },
      },
    ]);
  });

  it("is absent from a document that was written here", () => {
    const timeline = openTimeline(byBen());
    expect(contentOriginOf(timeline).copyIns).toEqual([]);
    expect(passagesAt(timeline, timeline.length - 1)).toMatchObject([
      { text: sentence, imported: null, atOnce: true },
    ]);
  });
});
