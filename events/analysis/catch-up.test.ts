import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { absenceOf } from "./catch-up";
import { richEdits } from "@/events/crdt/updates/rich-edits.fixture";
import { row, stream } from "@/events/history/timeline/rows.fixture";

const start = Date.UTC(2026, 10, 14, 15, 42);

/** Types letters as an editor records them: one update for each letter. */
function typed(client: number, words: string): Uint8Array[] {
  const doc = new Y.Doc();
  doc.clientID = client;
  const updates: Uint8Array[] = [];
  doc.on("update", (update: Uint8Array) => updates.push(update));
  const text = doc.getText("t");
  for (const letter of words) text.insert(text.length, letter);
  return updates;
}

describe("the summary of an absence", () => {
  it("counts the words of others, most words first, and omits the reader [UNDERSTAND-14]", () => {
    const batch = (actorId: string, client: number, words: string) =>
      typed(client, words).map((update, index) => ({ update, actorId, time: start + index }));
    const rows = [
      ...stream("Minutes", [
        batch("Ana", 1, "my own words"),
        batch("Ben", 2, "two words"),
        batch("Carol", 3, "three more words"),
      ]).slice(1),
      row({ version: 5, actorId: "Ben", type: "document.renamed", body: { title: "New" } }, start),
      row(
        {
          version: 5,
          actorId: "Carol",
          type: "comment.added",
          body: { thread: "t", text: "Who?" },
        },
        start,
      ),
      row({ version: 6, actorId: "Ben", update: new Uint8Array([0, 0, 9, 9]) }, start),
    ];
    expect(absenceOf(rows, "Ana")).toEqual([
      { actorId: "Carol", words: 3, edits: 1, comments: 1, others: 0 },
      { actorId: "Ben", words: 2, edits: 2, comments: 0, others: 1 },
    ]);
    expect(absenceOf([], "Ana")).toEqual([]);
  });

  it(
    "counts words that were typed meanwhile, and none that were only rewritten or restored " +
      "[UNDERSTAND-14] [UNDERSTAND-17]",
    () => {
      const long = "The managing editor reads every correction before it is published.";
      const edits = richEdits([
        { writer: 0, kind: 0, at: 0, size: 1, word: long },
        { writer: 1, kind: 11, at: 0, size: 0, word: "" },
        { writer: 1, kind: 9, at: 0, size: 20, word: "" },
        { writer: 2, kind: 1, at: 0, size: 3, word: " two words" },
        { writer: 2, kind: 10, at: 1, size: 0, word: "" },
      ]);
      const people = new Map([
        [3_141_592_653, "Ana"],
        [7, "Ben"],
      ]);
      const rows = stream(
        "Minutes",
        edits.map(({ client, update }, at) => [
          { update, actorId: people.get(client) ?? "Carol", time: start + at },
        ]),
      ).slice(2);
      const restored = rows.slice(0, 1).map((each) => ({ ...each, type: "document.reverted" }));
      expect(absenceOf([...rows, ...restored], "Ana")).toEqual([
        { actorId: "Carol", words: 2, edits: 2, comments: 0, others: 0 },
        { actorId: "Ben", words: 0, edits: 3, comments: 0, others: 0 },
      ]);
    },
  );
});
