import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { compareRevisions, comparing, stillRows } from "./comparison";
import type { Comparison } from "./comparison";
import type { Kind } from "./comparison-rows";
import { cases } from "@/events/core/cases.fixture";
import { pageAt } from "@/events/history/timeline/document-text";
import type { NodeRole } from "./revision-tokens";
import { finished } from "./paused-work";
import { gestureWith, richEdits } from "@/events/crdt/updates/rich-edits.fixture";
import { stream } from "@/events/history/timeline/rows.fixture";
import type { Timeline } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";

const people = ["Ana", "Ben", "Carol"];
const start = Date.UTC(2026, 10, 14, 15, 42);
const roles: Record<string, NodeRole> = {
  bulletList: "holder",
  listItem: "holder",
  horizontalRule: "leaf",
  hardBreak: "inline",
};
const roleOf = (name: string): NodeRole => roles[name] ?? "words";

type Act = (root: Y.XmlFragment) => void;

/** Creates a history of acts by different people, in order. */
function historyOf(acts: [who: string, act: Act][]): Timeline {
  const docs = people.map((_, index) => {
    const doc = new Y.Doc({ gc: false });
    doc.clientID = index + 1;
    return doc;
  });
  const edits = acts.flatMap(([who, act], at) => {
    const doc = docs[people.indexOf(who)];
    if (!doc) throw new Error(`Unknown person: ${who}`);
    const updates: Uint8Array[] = [];
    const collect = (update: Uint8Array) => updates.push(update);
    doc.on("update", collect);
    doc.transact(() => act(doc.getXmlFragment("default")));
    doc.off("update", collect);
    for (const update of updates)
      for (const other of docs) if (other !== doc) Y.applyUpdate(other, update);
    return updates.map((update) => [{ update, time: start + at * 1000, actorId: who }]);
  });
  return openTimeline(stream("Minutes", edits));
}

function block(
  name: string,
  words: string,
  attributes: Record<string, string | number> = {},
): Y.XmlElement {
  const element = new Y.XmlElement(name);
  const text = new Y.XmlText();
  text.insert(0, words);
  element.insert(0, [text]);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value as string);
  return element;
}

function textIn(root: Y.XmlFragment, index: number): Y.XmlText {
  const element = root.get(index);
  const text = element instanceof Y.XmlElement ? element.get(0) : null;
  if (!(text instanceof Y.XmlText)) throw new Error(`Block ${index} holds no text.`);
  return text;
}

const write =
  (...words: string[]): Act =>
  (root) =>
    root.insert(
      root.length,
      words.map((each) => block("paragraph", each)),
    );

function between(timeline: Timeline, from = 1, to = timeline.length - 1): Comparison {
  return compareRevisions(timeline, from, to, roleOf);
}

/**
 * Returns the rows as text: [-deleted-], {+inserted+}, and the type of a block that was inserted or
 * deleted as a whole, or changed.
 */
function shown({ rows }: Comparison): string[] {
  const signs: Record<Kind, [string, string]> = {
    same: ["", ""],
    out: ["[-", "-]"],
    in: ["{+", "+}"],
  };
  return rows.map(({ kind, runs, was, frame }) => {
    const words = runs
      .map((run) => `${signs[run.kind][0]}${run.text}${signs[run.kind][1]}`)
      .join("");
    return `${kind === "same" ? "" : `${kind} `}${was ? `${was.block.name}→${frame.block.name} ` : ""}${words}`;
  });
}

/** Makes the same comparison folded, and then reads the unread blocks. */
function unfolded(timeline: Timeline, from: number, to: number): Comparison {
  const comparison = finished(comparing(timeline, { from, to, roleOf, folded: true }));
  const rows = comparison.rows.flatMap((each) =>
    each.still ? stillRows(each.still, { at: to, authorOf: timeline.authorOf, roleOf }) : [each],
  );
  return { ...comparison, rows };
}

describe("comparing two revisions", () => {
  it("shows removed and added words with their authors [COMPARE-1]", () => {
    const timeline = historyOf([
      ["Ana", write("We correct promptly and in the open.")],
      ["Ben", (root) => textIn(root, 0).delete(11, 13)],
      ["Carol", (root) => textIn(root, 0).insert(14, "very ")],
    ]);
    const comparison = between(timeline);
    expect(shown(comparison)).toEqual(["We correct [-promptly and -]in {+very +}the open."]);
    expect(comparison.words).toEqual({ in: 1, out: 2 });
    expect(
      comparison.changes.map(({ changeKind, authors }) => [
        changeKind,
        authors.map((author) => timeline.authors[author]),
      ]),
    ).toEqual([
      ["removed", ["Ben"]],
      ["added", ["Carol"]],
    ]);
  });

  it(
    "recognises a block that was split, joined, converted or moved, instead of showing a new one " +
      "[COMPARE-2]",
    () => {
      const began: [string, Act] = [
        "Ana",
        write(
          "One rule stands first. Another rule follows it.",
          "The last paragraph is long enough to be known.",
        ),
      ];
      const split = historyOf([
        began,
        [
          "Ben",
          (root) => {
            textIn(root, 0).delete(23, 24);
            root.insert(1, [block("paragraph", "Another rule follows it.")]);
          },
        ],
      ]);
      expect(shown(between(split))).toEqual([
        "One rule stands first. {+¶+}",
        "Another rule follows it.",
        "The last paragraph is long enough to be known.",
      ]);
      expect(between(split).changes.map(({ changeKind }) => changeKind)).toEqual(["split"]);
      const joined = historyOf([
        began,
        [
          "Ben",
          (root) => {
            textIn(root, 0).insert(47, "The last paragraph is long enough to be known.");
            root.delete(1, 1);
          },
        ],
      ]);
      expect(between(joined).changes.map(({ changeKind }) => changeKind)).toEqual(["joined"]);
      const retyped = historyOf([
        began,
        [
          "Ben",
          (root) => {
            root.delete(0, 1);
            root.insert(0, [block("heading", "One rule stands first. Another rule follows it.")]);
          },
        ],
      ]);
      expect(shown(between(retyped))[0]).toBe(
        "paragraph→heading One rule stands first. Another rule follows it.",
      );
      expect(between(retyped).changes.map(({ changeKind }) => changeKind)).toEqual(["retyped"]);
      const moved = historyOf([
        began,
        ["Carol", write("One more.")],
        [
          "Ben",
          (root) => {
            root.delete(1, 1);
            root.insert(0, [block("paragraph", "The last paragraph is long enough to be known.")]);
          },
        ],
      ]);
      const comparison = between(moved, 2);
      expect(comparison.changes.map(({ changeKind }) => changeKind)).toEqual(["moved", "moved"]);
      expect(comparison).toMatchObject({ moves: 1, words: { in: 0, out: 0 } });
    },
  );

  it("reports new marks on kept words, and new attributes of a block [COMPARE-3]", () => {
    const timeline = historyOf([
      ["Ana", (root) => root.insert(0, [block("heading", "The rule holds", { level: 1 })])],
      ["Ben", (root) => textIn(root, 0).format(4, 4, { bold: {} })],
      [
        "Carol",
        (root) => {
          const heading = root.get(0);
          if (heading instanceof Y.XmlElement)
            heading.setAttribute("level", 2 as unknown as string);
        },
      ],
    ]);
    const { changes, rows } = between(timeline);
    expect(
      changes.map(({ changeKind, authors }) => [changeKind, timeline.authors[authors[0] ?? 0]]),
    ).toEqual([
      ["retyped", "Carol"],
      ["marked", "Ben"],
    ]);
    expect(
      rows[0]?.runs.map(({ text, remarked }) => [text, remarked?.worn.map(({ type }) => type)]),
    ).toEqual([
      ["The ", undefined],
      ["rule", ["bold"]],
      [" holds", undefined],
    ]);
  });

  it("keeps a deleted item inside its list [COMPARE-2]", () => {
    const list = (...words: string[]) => {
      const element = new Y.XmlElement("bulletList");
      element.insert(
        0,
        words.map((each) => {
          const item = new Y.XmlElement("listItem");
          item.insert(0, [block("paragraph", each)]);
          return item;
        }),
      );
      return element;
    };
    const timeline = historyOf([
      ["Ana", (root) => root.insert(0, [list("first of all", "second of all", "third of all")])],
      [
        "Ben",
        (root) => {
          const element = root.get(0);
          if (element instanceof Y.XmlElement) element.delete(1, 1);
        },
      ],
    ]);
    const { rows, changes } = between(timeline);
    expect(
      rows.map(({ kind, frame }) => [kind, frame.path.map(({ name }) => name).join(" ")]),
    ).toEqual([
      ["same", "bulletList listItem"],
      ["out", "bulletList listItem"],
      ["same", "bulletList listItem"],
    ]);
    expect(new Set(rows.map(({ frame }) => frame.path[0]?.unit)).size).toBe(1);
    expect(changes).toHaveLength(1);
  });

  it("neither loses nor invents a character on either side, in either direction [COMPARE-1]", () => {
    const gesture = gestureWith(
      fc.oneof(
        fc.constantFrom("a", "the quick brown", " fox.", "\u{1f600}"),
        fc.string({ unit: "grapheme", maxLength: 8 }),
      ),
    );
    let changed = 0;
    fc.assert(
      fc.property(
        fc.array(gesture, { minLength: 3, maxLength: 40 }).map(richEdits),
        fc.nat(),
        fc.nat(),
        fc.boolean(),
        (edits, one, other, folded) => {
          const timeline = openTimeline(
            stream(
              "Minutes",
              edits.map(({ client, update }, at) => [
                { update, time: start + at * 160, actorId: String(client) },
              ]),
            ),
          );
          const [from, to] = [one % timeline.length, other % timeline.length];
          const comparison = folded ? unfolded(timeline, from, to) : between(timeline, from, to);
          const side = (gone: Kind) =>
            comparison.rows
              .map(({ kind, runs }) => {
                const words = runs
                  .map((run) => (run.kind === gone ? "" : run.isBreak ? "\n" : run.text))
                  .join("");
                // A split block ends with its own sign. A joined block also ends, after its sign.
                const last = runs.at(-1);
                const split = last?.isBreak === true && last.kind === "in";
                return kind === gone ? "" : split ? words : `${words}\n`;
              })
              .join("");
          const plain = (text: string) => text.replace(/\n+/g, "\n").replace(/^\n|\n$/g, "");
          expect(plain(side("in"))).toBe(plain(pageAt(timeline, from).text));
          expect(plain(side("out"))).toBe(plain(pageAt(timeline, to).text));
          if (comparison.changes.length > 0) changed += 1;
          if (from === to) expect(comparison.changes).toEqual([]);
        },
      ),
      { numRuns: cases(150) },
    );
    expect(changed).toBeGreaterThan(cases(100));
  });

  it("skips blocks without a difference, and reports the same changes [COMPARE-5]", () => {
    const timeline = historyOf([
      ["Ana", write(...Array.from({ length: 40 }, (_, at) => `Paragraph ${at} says this.`))],
      ["Ben", (root) => textIn(root, 20).insert(0, "Indeed. ")],
    ]);
    const comparison = finished(
      comparing(timeline, { from: 1, to: timeline.length - 1, roleOf, folded: true }),
    );
    expect(comparison.rows.filter(({ still }) => still === null)).toHaveLength(1);
    expect(comparison.rows).toHaveLength(40);
    expect(comparison.changes).toEqual(between(timeline).changes);
    expect(shown(unfolded(timeline, 1, timeline.length - 1))).toEqual(shown(between(timeline)));
  });

  it("pauses often enough for a page to respond, however much was rewritten [COMPARE-5]", () => {
    const words = (seed: number) =>
      Array.from(
        { length: 400 },
        (_, at) => `Sentence ${at} number ${(at * seed) % 97} of ${seed}.`,
      );
    const timeline = historyOf([
      ["Ana", write(...words(3))],
      ["Ben", (root) => root.delete(0, 400)],
      ["Carol", write(...words(7))],
    ]);
    const work = comparing(timeline, { from: 1, to: timeline.length - 1, roleOf, folded: true });
    let pauses = 0;
    while (!work.next().done) pauses += 1;
    expect(pauses).toBeGreaterThan(15);
  });

  it("shows a paragraph of a megabyte that was inserted at once [COMPARE-1]", () => {
    const words = "words and more of them, ".repeat(44_000);
    const comparison = between(
      historyOf([
        ["Ana", write("Before.")],
        ["Ben", write(words)],
      ]),
    );
    expect(comparison.changes).toHaveLength(1);
    expect(comparison.changes[0]).toMatchObject({ changeKind: "added", in: words });
  });
});
