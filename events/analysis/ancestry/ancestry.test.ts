import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { passagesAt } from "@/events/analysis/attribution";
import { cases } from "@/events/core/cases.fixture";
import type { TimelineRow } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { documentAt } from "@/events/history/timeline/document-text";
import { row } from "@/events/history/timeline/rows.fixture";
import { attributeThrough, sourcesOf } from "./ancestry";
import { ContentOrigin } from "@/events/analysis/lineage/copy-in";
import type { ImportedPassage } from "@/events/revisions/copy-in-events";
import { forkOf, mergeOf } from "@/events/revisions/fork";

const start = Date.UTC(2026, 10, 14);
const idOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
const people = ["Ana", "Ben", "Carol"];

type Tree = { rows: TimelineRow[]; parent: number | null }[];

const change = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("fork" as const), of: fc.nat(20) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("write" as const),
      of: fc.nat(20),
      who: fc.nat(2),
      at: fc.nat(60),
      word: fc.constantFrom("alpha ", "beta ", "é", ""),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("merge" as const), of: fc.nat(20), up: fc.boolean() }),
  },
);
type ChangeKind = typeof change extends fc.Arbitrary<infer D> ? D : never;

const created = (who: string) => [
  row({ version: 1, actorId: who, type: "document.created", body: { title: "" } }, start),
];
const state = (rows: TimelineRow[]) => openTimeline(rows).state();
const reads = (rows: TimelineRow[]) => {
  const timeline = openTimeline(rows);
  expect(timeline.anomalies).toEqual([]);
  return documentAt(timeline.blocks, timeline.length - 1);
};

function withCopyIn(
  rows: TimelineRow[],
  type: string,
  pieces: ImportedPassage[],
  source: number,
  version: number,
): TimelineRow[] {
  return pieces.reduce(
    (all, piece) => [
      ...all,
      row(
        {
          version: all.length + 1,
          actorId: "Mia",
          type,
          body: { document: idOf(source), version },
          ...piece,
        },
        start + all.length,
      ),
    ],
    rows,
  );
}

function written(
  rows: TimelineRow[],
  who: string,
  client: number,
  { at, word }: { at: number; word: string },
): TimelineRow[] {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, state(rows));
  doc.clientID = client;
  const updates: Uint8Array[] = [];
  doc.on("update", (update: Uint8Array) => updates.push(update));
  const root = doc.getXmlFragment("default");
  doc.transact(() => {
    const element = root.length > 0 ? root.get(at % root.length) : null;
    const textblock = element instanceof Y.XmlElement ? element.get(0) : null;
    if (textblock instanceof Y.XmlText && at % 7 > 0) {
      if (word !== "") textblock.insert(at % (textblock.length + 1), word);
      else if (textblock.length > 0) textblock.delete(at % textblock.length, 1);
      return;
    }
    const paragraph = new Y.XmlElement("paragraph");
    paragraph.insert(0, [new Y.XmlText(word)]);
    root.insert(at % (root.length + 1), [paragraph]);
  });
  return updates.reduce(
    (all, update) => [
      ...all,
      row(
        { version: all.length + 1, actorId: who, clientIds: [client], update },
        start + all.length,
      ),
    ],
    rows,
  );
}

/**
 * Grows a tree of forks in which people write, and merge along the edges of the tree. Returns the
 * tree and the author of each client id.
 */
function grown(changes: readonly ChangeKind[]): { tree: Tree; authors: Map<number, string> } {
  const tree: Tree = [{ rows: created("Ana"), parent: null }];
  const authors = new Map<number, string>();
  changes.forEach((each, index) => {
    const of = each.of % tree.length;
    const here = tree[of];
    if (!here) return;
    if (each.kind === "fork")
      tree.push({
        rows: withCopyIn(
          created("Mia"),
          "document.forked",
          forkOf(here.rows, idOf(of)),
          of,
          here.rows.length,
        ),
        parent: of,
      });
    else if (each.kind === "write") {
      const who = people[each.who] ?? "";
      authors.set(1000 + index, who);
      here.rows = written(here.rows, who, 1000 + index, each);
    } else if (here.parent !== null) {
      const other = tree[here.parent];
      if (other) merge(tree, each.up ? of : here.parent, each.up ? here.parent : of);
    }
  });
  return { tree, authors };
}

function merge(tree: Tree, from: number, into: number): boolean {
  const [there, here] = [tree[from], tree[into]];
  if (!there || !here) return false;
  const pieces = mergeOf(there.rows, here.rows, idOf(from));
  here.rows = withCopyIn(here.rows, "document.merged", pieces, from, there.rows.length);
  return pieces.length > 0;
}

/**
 * Returns the authors of a document's standing characters as a reader of all logs sees them, with
 * the client id that each character was written under.
 */
async function attributedAt(tree: Tree, index: number, readable = (_stream: string) => true) {
  const { rows } = tree[index] ?? { rows: [] };
  const timeline = openTimeline(rows);
  const read = (stream: string, upTo: number) => {
    const source = tree.find((_, at) => idOf(at) === stream);
    return Promise.resolve(source && readable(stream) ? source.rows.slice(0, upTo) : null);
  };
  const all = await Promise.all(
    sourcesOf(timeline).map((source) =>
      attributeThrough(
        source.versions.flatMap((version) => rows[version - 1]?.update ?? []),
        source,
        read,
      ),
    ),
  );
  return passagesAt(timeline, timeline.length - 1, new ContentOrigin(timeline, all.flat())).flatMap(
    ({ text, author, imported: by }) =>
      Array.from(text, (char) => ({
        char,
        who: by ? (by.writer?.userId ?? null) : (timeline.authors[author] ?? null),
      })),
  );
}

/** Returns the same characters with the actual typist of each client id. */
function typed(tree: Tree, index: number, authors: ReadonlyMap<number, string>) {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, state(tree[index]?.rows ?? []));
  const chars: { char: string; who: string | null }[] = [];
  const walk = (parent: Y.XmlFragment | Y.XmlText) => {
    for (let item = parent._start; item; item = item.right) {
      if (item.deleted) continue;
      const { content } = item;
      if (content instanceof Y.ContentString)
        for (const char of content.str)
          chars.push({ char, who: authors.get(item.id.client) ?? null });
      if (
        content instanceof Y.ContentType &&
        (content.type instanceof Y.XmlElement || content.type instanceof Y.XmlText)
      )
        walk(content.type);
    }
  };
  walk(doc.getXmlFragment("default"));
  return chars;
}

const again = { kind: "write", of: 0, who: 0, at: 0, word: "alpha " } satisfies ChangeKind;
const sameWords: ChangeKind[] = [
  { kind: "write", of: 0, who: 1, at: 0, word: "beta " },
  { kind: "fork", of: 0 },
  { kind: "write", of: 0, who: 0, at: 38, word: "" },
  again,
  { kind: "merge", of: 1, up: false },
  again,
  again,
  { kind: "merge", of: 0, up: false },
  again,
  again,
  { kind: "merge", of: 0, up: false },
];

describe("a tree of forks", { timeout: 120_000 }, () => {
  it("[FORK-6] [FORK-9] names the author of each letter through any forks and merges", async () => {
    let deep = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 6, maxLength: 26 }), async (changes) => {
        const { tree, authors } = grown(changes);
        for (const [index, { parent }] of tree.entries()) {
          expect(await attributedAt(tree, index)).toEqual(typed(tree, index, authors));
          if (
            parent !== null &&
            tree[parent]?.parent !== null &&
            typed(tree, index, authors).length > 0
          )
            deep += 1;
        }
      }),
      // In this example, a merge replaces one person's word by the same word of another person.
      { numRuns: cases(50), examples: [[sameWords]] },
    );
    expect(deep).toBeGreaterThan(cases(20));
  });

  it(
    "[FORK-9] reports an unknown writer for text from a log that the reader may not read, and " +
      "names the others",
    async () => {
      const tree: Tree = [
        { rows: written(created("Ana"), "Ben", 1, { at: 0, word: "Old. " }), parent: null },
      ];
      tree.push({
        rows: withCopyIn(
          created("Mia"),
          "document.forked",
          forkOf(tree[0]?.rows ?? [], idOf(0)),
          0,
          2,
        ),
        parent: 0,
      });
      tree.push({
        rows: withCopyIn(
          created("Mia"),
          "document.forked",
          forkOf(written(tree[1]?.rows ?? [], "Carol", 2, { at: 1, word: "New. " }), idOf(1)),
          1,
          3,
        ),
        parent: 1,
      });
      const second = tree[1];
      if (second) second.rows = written(second.rows, "Carol", 2, { at: 1, word: "New. " });
      const whose = async (readable: (stream: string) => boolean) =>
        [...new Set((await attributedAt(tree, 2, readable)).map(({ who }) => who))].toSorted();
      expect(await whose(() => true)).toEqual(["Ben", "Carol"]);
      expect(await whose((stream) => stream !== idOf(0))).toEqual(["Carol", null]);
      expect(await whose(() => false)).toEqual([null]);
    },
  );

  it(
    "[ACT-9] reads the same everywhere once all is merged both ways, after which a merge brings " +
      "nothing",
    () => {
      let merged = 0;
      fc.assert(
        fc.property(fc.array(change, { minLength: 4, maxLength: 20 }), (changes) => {
          const { tree } = grown(changes);
          const together = new Y.Doc();
          for (const { rows } of tree) Y.applyUpdate(together, state(rows));
          for (let index = tree.length - 1; index > 0; index -= 1)
            if (merge(tree, index, tree[index]?.parent ?? 0)) merged += 1;
          for (let index = 1; index < tree.length; index += 1)
            merge(tree, tree[index]?.parent ?? 0, index);
          for (const [index, { rows, parent }] of tree.entries()) {
            const doc = new Y.Doc();
            Y.applyUpdate(doc, state(rows));
            expect(doc.getXmlFragment("default").toString()).toBe(
              together.getXmlFragment("default").toString(),
            );
            expect(reads(rows)).toEqual(reads(tree[0]?.rows ?? []));
            if (parent !== null)
              expect([merge(tree, index, parent), merge(tree, parent, index)]).toEqual([
                false,
                false,
              ]);
          }
        }),
        { numRuns: cases(50) },
      );
      expect(merged).toBeGreaterThan(cases(30));
    },
  );
});
