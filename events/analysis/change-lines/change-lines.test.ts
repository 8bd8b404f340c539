import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { row } from "@/events/history/timeline/rows.fixture";
import type { TimelineRow } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { linesOfSession } from "./change-lines";

const people = ["Ana", "Ben", "Carol"] as const;
type Who = (typeof people)[number];
const start = Date.UTC(2026, 10, 18, 10, 5);
const hour = 3_600_000;

type Root = Y.XmlFragment;
type Step =
  | { who: Who; write: (root: Root) => void; after?: number }
  | { who: Who; type: string; body?: object; subject?: string; after?: number };

function block(name: string, words: string): Y.XmlElement {
  const element = new Y.XmlElement(name);
  const text = new Y.XmlText();
  text.insert(0, words);
  element.insert(0, [text]);
  return element;
}
const append = (name: string, words: string) => (root: Root) =>
  root.insert(root.length, [block(name, words)]);
const textOf = (root: Root, at: number): Y.XmlText => {
  const element = root.get(at);
  const text = element instanceof Y.XmlElement ? element.get(0) : null;
  if (!(text instanceof Y.XmlText)) throw new Error(`Block ${at} has no text.`);
  return text;
};
/** Replaces words by other words. */
const swap = (at: number, out: string, words: string) => (root: Root) => {
  const text = textOf(root, at);
  const from = text.toJSON().indexOf(out);
  text.delete(from, out.length);
  text.insert(from, words);
};

/** Returns the lines of the last session of a document by Ana, with their authors and content. */
function told(...steps: Step[]) {
  const docs = people.map((_, index) => {
    const doc = new Y.Doc({ gc: false });
    doc.clientID = index + 1;
    return doc;
  });
  let time = start;
  const rows: TimelineRow[] = [
    row({ version: 1, actorId: "Ana", type: "document.created", body: { title: "Budget" } }, start),
  ];
  for (const step of steps) {
    time += step.after ?? 1_000;
    const version = rows.length + 1;
    if ("type" in step) {
      const { who, type, body = {}, subject = "s" } = step;
      const [kind = ""] = type.split(".");
      rows.push(
        row(
          { version, actorId: who, type, body: { ...body }, subject: { kind, id: subject } },
          time,
        ),
      );
      continue;
    }
    const doc = docs[people.indexOf(step.who)];
    if (!doc) throw new Error(`Unknown person: ${step.who}`);
    const updates: Uint8Array[] = [];
    const collect = (update: Uint8Array) => updates.push(update);
    doc.on("update", collect);
    doc.transact(() => step.write(doc.getXmlFragment("default")));
    doc.off("update", collect);
    for (const update of updates) for (const other of docs) Y.applyUpdate(other, update);
    const edits = updates.map((update) => ({ update, time }));
    rows.push(
      row(
        {
          version,
          actorId: step.who,
          clientIds: [people.indexOf(step.who) + 1],
          update: encodeEdits(edits),
        },
        time,
      ),
    );
  }
  const timeline = openTimeline(rows);
  return linesOfSession(timeline, timeline.timingMap.sessions.length - 1);
}
const parts = (...steps: Step[]) =>
  told(...steps).map(({ actorId, parts: all }) => [actorId, ...all]);

/** The text that Ana wrote in an earlier session. */
const text: Step[] = [
  { who: "Ana", write: append("heading", "Heating") },
  { who: "Ana", write: append("paragraph", "The boiler costs £2,400 a year to run.") },
  { who: "Ana", write: append("heading", "The roof") },
  { who: "Ana", write: append("paragraph", "Closed on Mondays and on Tuesdays.") },
];
const later = (step: Step): Step => ({ ...step, after: 2 * hour });

it("[LINE-10] describes a rewritten paragraph of half a million letters", () => {
  const long = "an oystercatcher ".repeat(30_000);
  const rewritten = (root: Root) => {
    const text = textOf(root, 0);
    text.delete(0, text.length);
    text.insert(0, `${long}rests`);
  };
  const lines = told(
    { who: "Ana", write: append("paragraph", `${long}sleeps`) },
    { who: "Ben", write: rewritten },
  );
  expect(lines.length).toBeGreaterThan(0);
});

describe("a line of a session", () => {
  it.each<[string, Step[], object]>([
    [
      "a few words for others, by whole words",
      [{ who: "Ben", write: swap(1, "2,4", "3,1") }],
      { kind: "replaced", out: "£2,400", in: "£3,100", section: "Heating" },
    ],
    [
      "many words under a heading, by their number",
      [{ who: "Ben", write: append("paragraph", "word ".repeat(212)) }],
      { kind: "added", words: 212, quote: null, section: "The roof" },
    ],
    [
      "four words, which can be quoted",
      [{ who: "Ben", write: append("paragraph", "Two packets each, please.") }],
      { kind: "added", words: 4, quote: "Two packets each, please.", section: "The roof" },
    ],
    [
      "words added to a sentence, without the word before them",
      [{ who: "Ben", write: (root) => textOf(root, 3).insert(17, " in May") }],
      { kind: "added", words: 2, quote: "in May", section: "The roof" },
    ],
    [
      "words deleted",
      [{ who: "Ben", write: swap(3, "Closed on Mondays and ", "") }],
      { kind: "removed", words: 4, quote: "Closed on Mondays and", section: "The roof" },
    ],
    [
      "a paragraph written anew",
      [
        {
          who: "Ben",
          write: swap(3, "on Mondays and on Tuesdays", "all week, from Easter to May"),
        },
      ],
      { kind: "rewrote", words: 6, section: "The roof" },
    ],
    [
      "a heading of its own, by that heading",
      [
        { who: "Ben", write: append("heading", "Seeds") },
        { who: "Ben", write: append("paragraph", "They are in the shed, with the spades.") },
      ],
      { kind: "added", words: 9, quote: null, section: "Seeds" },
    ],
    [
      "words made bold",
      [{ who: "Ben", write: (root) => textOf(root, 3).format(0, 6, { bold: {} }) }],
      { kind: "formatted", words: 1, quote: "Closed", section: "The roof" },
    ],
    [
      "nothing, where it was taken back at once",
      [
        { who: "Ben", write: (root) => textOf(root, 3).insert(0, "No. ") },
        { who: "Ben", write: (root) => textOf(root, 3).delete(0, 4) },
      ],
      { kind: "nothing" },
    ],
  ])("[LINE-1] %s", (_, steps, expected) => {
    const [first, ...rest] = steps;
    if (!first) throw new Error("The case has no steps");
    expect(parts(...text, later(first), ...rest)).toEqual([["Ben", expected]]);
  });

  it("[LINE-1] names the two largest changes, the largest first", () => {
    expect(
      parts(
        ...text,
        later({ who: "Ben", write: swap(1, "2,4", "3,1") }),
        { who: "Ben", write: append("paragraph", "word ".repeat(20)) },
        { who: "Ben", write: (root) => textOf(root, 3).format(0, 6, { bold: {} }) },
      ),
    ).toEqual([
      [
        "Ben",
        { kind: "added", words: 20, quote: null, section: "The roof" },
        { kind: "replaced", out: "£2,400", in: "£3,100", section: "Heating" },
      ],
    ]);
  });

  it("[LINE-2] gives each person’s own changes with their words, versions and times", () => {
    const lines = told(
      ...text,
      later({ who: "Ben", write: swap(1, "2,400", "3,100") }),
      { who: "Carol", write: append("paragraph", "Five words are written here.") },
      { who: "Ben", write: swap(3, "Closed", "Open") },
    );
    const at = (ms: number) => new Date(start + 4_000 + 2 * hour + ms).toISOString();
    expect(lines).toMatchObject([
      { actorId: "Carol", from: 7, to: 7, added: 5, removed: 0, changes: 1 },
      {
        actorId: "Ben",
        from: 6,
        to: 8,
        added: 2,
        removed: 2,
        changes: 2,
        began: at(0),
        at: at(2_000),
      },
    ]);
  });

  it("[LINE-2] reports a replacement of words that another person has just written", () => {
    expect(parts(...text, { who: "Ben", write: swap(1, "2,400", "3,100") })).toEqual([
      ["Ana", { kind: "began", words: 17 }],
      ["Ben", { kind: "replaced", out: "£2,400", in: "£3,100", section: "Heating" }],
    ]);
  });

  it("[LINE-2] counts what each person added while several write at once", () => {
    const at: Step[] = Array.from({ length: 30 }, (_, index) => ({
      who: index % 2 === 0 ? "Ben" : "Carol",
      write: (root) =>
        textOf(root, index % 2 === 0 ? 1 : 3).insert(0, index % 2 === 0 ? "so " : "and then "),
    }));
    expect(parts(...text, ...at.map((step, index) => (index === 0 ? later(step) : step)))).toEqual([
      ["Ben", { kind: "added", words: 15, quote: null, section: "Heating" }],
      ["Carol", { kind: "added", words: 30, quote: null, section: "The roof" }],
    ]);
  });

  it("[LINE-2] reports beginning a document and writing in it as one change if one person did both", () => {
    expect(parts(...text)).toEqual([["Ana", { kind: "began", words: 17 }]]);
    expect(parts({ who: "Ben", write: append("paragraph", "One two three four five") })).toEqual([
      ["Ana", { kind: "event", type: "document.created", count: 1 }],
      ["Ben", { kind: "added", words: 5, quote: null, section: null }],
    ]);
  });

  it("[LINE-3] lists changes beyond writing, each kind once", () => {
    const opened = { start: "AAAB", end: "AAAC", quote: "two packets each of the early ones" };
    expect(
      parts(
        ...text,
        later({ who: "Ben", type: "document.renamed", body: { title: "Budget 20" } }),
        { who: "Ben", type: "document.renamed", body: { title: "Budget 2027" } },
        { who: "Ana", type: "thread.opened", body: opened, subject: "t" },
        { who: "Ana", type: "comment.added", body: { thread: "t", text: "Why?" }, subject: "c" },
        { who: "Ben", type: "comment.added", body: { thread: "t", text: "So." }, subject: "d" },
        { who: "Ben", type: "comment.added", body: { thread: "t", text: "Yes." }, subject: "e" },
        { who: "Ben", type: "version.named", body: { at: 5, name: "As agreed" }, subject: "v" },
        { who: "Ana", type: "document.icon_set", body: { emoji: "🧾" } },
      ),
    ).toEqual([
      ["Ben", { kind: "renamed", title: "Budget 2027" }],
      ["Ana", { kind: "commented", quote: "two packets each of…", count: 1 }],
      ["Ben", { kind: "replied", quote: "two packets each of…", to: "Ana", count: 2 }],
      ["Ben", { kind: "named", name: "As agreed" }],
      ["Ana", { kind: "event", type: "document.icon_set", count: 1 }],
    ]);
  });

  it("[LINE-3] names the restored moment, and separates the writing before it from that after it", () => {
    expect(
      parts(
        ...text,
        later({ who: "Ben", write: append("paragraph", "One two three four five") }),
        { who: "Ben", type: "document.reverted", body: { toVersion: 3 } },
        { who: "Ben", write: append("paragraph", "Six seven eight nine ten") },
      ),
    ).toEqual([
      ["Ben", { kind: "added", words: 5, quote: null, section: "The roof" }],
      ["Ben", { kind: "restored", at: new Date(start + 2_000).toISOString() }],
      ["Ben", { kind: "added", words: 5, quote: null, section: "The roof" }],
    ]);
  });

  it("[LINE-3] reports an import once, without the steps that it repeats", () => {
    const opened = { start: "AAAB", end: "AAAC", quote: "these words" };
    expect(
      parts(
        { who: "Ana", type: "document.imported", body: { version: 9 } },
        { who: "Ana", type: "document.step_imported", after: 0 },
        { who: "Ana", type: "version.named", body: { at: 2, name: "First" }, after: 0 },
        { who: "Ana", type: "thread.opened", body: opened, subject: "t", after: 0 },
        { who: "Ana", type: "comment.added", body: { thread: "t", text: "Why?" }, after: 0 },
        { who: "Ana", type: "document.renamed", body: { title: "Copy" } },
      ),
    ).toEqual([
      ["Ana", { kind: "event", type: "document.created", count: 1 }],
      ["Ana", { kind: "event", type: "document.imported", count: 1 }],
      ["Ana", { kind: "renamed", title: "Copy" }],
    ]);
  });

  it("[LINE-4] describes a session the same each time", () => {
    const steps = [...text, later({ who: "Ben", write: swap(1, "2,4", "3,1") })];
    expect(told(...steps)).toEqual(told(...steps));
  });
});
