import { yXmlFragmentToProsemirrorJSON } from "@tiptap/y-tiptap";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { documentAt, pageAt } from "./document-text";
import type { DocumentJson } from "./full-history-text";
import { cases } from "@/events/core/cases.fixture";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { anyGesture, richEdits } from "@/events/crdt/updates/rich-edits.fixture";
import { row, stream } from "./rows.fixture";
import type { AuthoredEdit } from "./rows.fixture";
import type { TimelineRow } from "./timeline";
import { openTimeline } from "./timeline-builder";

const people = new Map([
  [3_141_592_653, "Ana"],
  [7, "Ben"],
  [2 ** 40 + 1, "Carol"],
]);
const start = Date.UTC(2026, 10, 14, 15, 42);

/** Groups edits into batches of up to `most` consecutive edits of one author, 160 ms apart. */
function batches(edits: { client: number; update: Uint8Array }[], most: number): AuthoredEdit[][] {
  const done: AuthoredEdit[][] = [];
  edits.forEach(({ client, update }, index) => {
    const edit = { update, time: start + index * 160, actorId: people.get(client) ?? "" };
    const last = done.at(-1);
    if (last && last.length < most && last[0]?.actorId === edit.actorId) last.push(edit);
    else done.push([edit]);
  });
  return done;
}

function normal(node: DocumentJson): DocumentJson {
  const content: DocumentJson[] = [];
  for (const child of (node.content ?? []).flat().map(normal)) {
    const last = content.at(-1);
    const same =
      last?.text !== undefined &&
      child.text !== undefined &&
      JSON.stringify(last.marks) === JSON.stringify(child.marks);
    if (last && same) last.text = `${last.text}${child.text}`;
    else content.push({ ...child });
  }
  const marks = node.marks?.map((mark) => JSON.stringify(mark)).sort();
  const attrs =
    node.attrs &&
    Object.fromEntries(Object.entries(node.attrs).sort(([a], [b]) => a.localeCompare(b)));
  return JSON.parse(
    JSON.stringify({ ...node, attrs, marks, content: content.length > 0 ? content : undefined }),
  );
}

function fold(updates: Uint8Array[]): DocumentJson {
  const doc = new Y.Doc();
  doc.on(
    "afterTransaction",
    (transaction: Y.Transaction) => (transaction._needFormattingCleanup = false),
  );
  for (const update of updates) Y.applyUpdate(doc, update);
  const json: Record<string, unknown> = yXmlFragmentToProsemirrorJSON(
    doc.getXmlFragment("default"),
  );
  return normal({ type: "doc", ...json });
}

describe("timeline", () => {
  it("shows the same as a fold from zero at any revision, in any order [REPLAY-1]", () => {
    fc.assert(
      fc.property(
        fc.array(anyGesture, { minLength: 3, maxLength: 50 }).map(richEdits),
        fc.integer({ min: 1, max: 9 }),
        fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
        (edits, most, picks) => {
          const rows = stream("Minutes", batches(edits, most));
          const timeline = openTimeline(rows);
          expect(timeline.length).toBe(edits.length + 1);
          expect(timeline.anomalies).toEqual([]);
          for (const pick of picks) {
            const index = pick % timeline.length;
            const shown = normal(documentAt(timeline.blocks, index));
            expect(shown).toEqual(fold(edits.slice(0, index).map(({ update }) => update)));
          }
        },
      ),
      { numRuns: cases(200) },
    );
  });

  it(
    "puts concurrent text where Yjs puts it, and encodes the newest state as Yjs reads it " +
      "[REPLAY-1]",
    () => {
      let apart = 0;
      fc.assert(
        fc.property(
          fc.array(anyGesture, { minLength: 6, maxLength: 60 }),
          fc.integer({ min: 2, max: 20 }),
          fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
          (gestures, every, picks) => {
            const edits = richEdits(gestures, every);
            const timeline = openTimeline(stream("Minutes", batches(edits, 3)));
            expect(timeline.anomalies).toEqual([]);
            for (const pick of [...picks, edits.length]) {
              const index = pick % timeline.length;
              expect(normal(documentAt(timeline.blocks, index))).toEqual(
                fold(edits.slice(0, index).map(({ update }) => update)),
              );
            }
            expect(fold([timeline.state()])).toEqual(fold(edits.map(({ update }) => update)));
            if (new Set(edits.map(({ client }) => client)).size > 1) apart += 1;
          },
        ),
        { numRuns: cases(150) },
      );
      expect(apart).toBeGreaterThan(cases(100));
    },
  );

  it("shows a paragraph of tens of thousands of letters without splitting a surrogate pair [REPLAY-1]", () => {
    const faces = "\u{1f600}".repeat(20_000);
    const edits = richEdits([
      { kind: 0, at: 0, size: 1, writer: 0, word: `x${faces}` },
      { kind: 1, at: 0, size: 20_001, writer: 1, word: `${faces}y` },
      { kind: 3, at: 0, size: 30_003, writer: 2, word: "" },
      { kind: 2, at: 0, size: 9_001, writer: 0, word: "" },
      { kind: 2, at: 0, size: 1, writer: 1, word: "" },
    ]);
    const timeline = openTimeline(stream("Minutes", batches(edits, 1)));
    for (let index = 0; index < timeline.length; index += 1) {
      expect(normal(documentAt(timeline.blocks, index))).toEqual(
        fold(edits.slice(0, index).map(({ update }) => update)),
      );
    }
  });

  it("names the author of every character and the actor of every revision [REPLAY-2]", () => {
    const edits = richEdits([
      { kind: 0, at: 0, size: 1, writer: 0, word: "ana " },
      { kind: 1, at: 0, size: 4, writer: 1, word: "ben " },
      { kind: 1, at: 0, size: 8, writer: 2, word: "carol" },
      { kind: 2, at: 0, size: 5, writer: 0, word: "" },
    ]);
    const timeline = openTimeline(stream("Minutes", batches(edits, 1)));
    expect(timeline.authors).toEqual(["Ana", "Ben", "Carol"]);
    const { text, authors } = pageAt(timeline, 3);
    expect(text).toBe("ana ben carol");
    expect(authors).toEqual([
      { length: 4, author: 0 },
      { length: 4, author: 1 },
      { length: 5, author: 2 },
    ]);
    expect(timeline.revision(2)).toMatchObject({
      version: 3,
      edit: 0,
      actorId: "Ben",
      type: "document.edited",
    });
  });

  it("skips an edit under another person’s client id, and keeps all that follows [REPLAY-3]", () => {
    const edits = richEdits([
      { kind: 0, at: 0, size: 1, writer: 0, word: "one" },
      { kind: 1, at: 0, size: 3, writer: 0, word: " two" },
    ]);
    const rows = stream("Minutes", batches(edits, 1));
    const forger = new Y.Doc();
    forger.clientID = 3_141_592_653;
    forger.getXmlFragment("default").insert(0, [new Y.XmlElement("paragraph")]);
    const forged = row(
      { version: 3, actorId: "Ben", update: Y.encodeStateAsUpdate(forger) },
      start + 10,
    );
    const [created, first, second] = rows;
    const mixed = [created, first, forged, second].flatMap((each, index) =>
      each ? [{ ...each, version: index + 1 }] : [],
    );
    const timeline = openTimeline(mixed);
    expect(timeline.anomalies).toEqual([
      { version: 3, index: 0, actorId: "Ben", reason: "foreign-client" },
    ]);
    expect(pageAt(timeline, timeline.length - 1).text).toBe("one two");
    expect(timeline.revision(2)).toMatchObject({ version: 3, actorId: "Ben" });
  });

  it("keeps titles, the trash and restores as revisions, and never lets time run backwards [REPLAY-4]", () => {
    const edits = richEdits([{ kind: 0, at: 0, size: 1, writer: 0, word: "text" }]);
    const rows: TimelineRow[] = [
      ...stream("Corrections", batches(edits, 1)),
      row(
        {
          version: 3,
          actorId: "Ben",
          type: "document.renamed",
          body: { title: "How we correct mistakes" },
        },
        start - 60_000,
      ),
      row(
        { version: 4, actorId: "Ben", type: "document.trashed", toPhase: "trashed" },
        start + 5000,
      ),
      row({ version: 5, actorId: "Ana", type: "document.restored" }, start + 9000),
    ];
    const timeline = openTimeline(rows);
    expect([0, 1, 2, 3, 4].map((index) => timeline.titleAt(index))).toEqual([
      "Corrections",
      "Corrections",
      "How we correct mistakes",
      "How we correct mistakes",
      "How we correct mistakes",
    ]);
    expect(timeline.marks.map(({ type, revision, toPhase }) => [type, revision, toPhase])).toEqual([
      ["document.created", 0, "live"],
      ["document.renamed", 2, "live"],
      ["document.trashed", 3, "trashed"],
      ["document.restored", 4, "live"],
    ]);
    expect([0, 1, 2, 3, 4].map((index) => timeline.timeOf(index) - start)).toEqual([
      0, 0, 0, 5000, 9000,
    ]);
    expect(timeline.ofVersion(4)).toBe(3);
    expect(timeline.ofVersion(99)).toBe(4);
  });

  it("[ICON-5] knows the icon of every revision", () => {
    const set = (version: number, emoji: string | null) =>
      row({ version, actorId: "Ana", type: "document.icon_set", body: { emoji } }, start);
    const timeline = openTimeline([
      row({ version: 1, actorId: "Ana", type: "document.created", body: { title: "T" } }, start),
      set(2, "🌊"),
      row({ version: 3, actorId: "Ana", type: "document.renamed", body: { title: "U" } }, start),
      set(4, "🗺️"),
      set(5, null),
      row({ version: 6, actorId: "Ana", type: "document.reverted", body: { toVersion: 2 } }, start),
    ]);
    expect([0, 1, 2, 3, 4, 5].map((index) => timeline.iconAt(index))).toEqual([
      null,
      "🌊",
      "🌊",
      "🗺️",
      null,
      null,
    ]);
  });

  it("limits an untrusted time to when the server recorded the event [REPLAY-4]", () => {
    const edits = richEdits([{ kind: 0, at: 0, size: 1, writer: 0, word: "text" }]);
    const [created, edited] = stream("Minutes", batches(edits, 1));
    if (!created || !edited) throw new Error("The stream is short.");
    const future = {
      ...edited,
      clientTime: new Date(start + 10 ** 9).toISOString(),
      recordedAt: new Date(start + 500).toISOString(),
    };
    expect(openTimeline([created, future]).timeOf(1)).toBe(start + 500);
  });

  it("steps by the bursts of one author [REPLAY-5]", () => {
    const edits = richEdits(
      [0, 0, 1, 1, 0].map((writer, index) => ({
        kind: index === 0 ? 0 : 1,
        at: 0,
        size: 0,
        writer,
        word: "x",
      })),
    );
    const timeline = openTimeline(stream("Minutes", batches(edits, 1)));
    expect(timeline.groupAfter(0)).toBe(1);
    expect(timeline.groupAfter(1)).toBe(3);
    expect(timeline.groupBefore(5)).toBe(3);
    expect(timeline.groupBefore(3)).toBe(1);
  });

  it("refuses rows with a missing version", () => {
    const [created] = stream("Minutes", []);
    expect(() => openTimeline(created ? [created, { ...created, version: 3 }] : [])).toThrow(
      "does not follow",
    );
    expect(encodeEdits([])).toHaveLength(3);
  });
});
