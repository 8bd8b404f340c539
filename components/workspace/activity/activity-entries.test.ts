import { describe, expect, it } from "vitest";
import type { Happening } from "@/events/read-models/activity";
import type { ChangeLine, LinePart } from "@/events/read-models/change-lines";
import { entriesOf, filtered, placed } from "./activity-entries";
import { summaryOf } from "./activity-summary";

const at = (day: number, hour: number) => new Date(Date.UTC(2026, 10, day, hour)).toISOString();
const clock = { now: Date.UTC(2026, 10, 24, 18), zone: "UTC" };

const line = (
  documentId: string,
  actorId: string,
  [from, to]: [number, number],
  ended: string,
  part: LinePart = { kind: "added", words: 5, quote: null, section: null },
): ChangeLine => ({
  documentId,
  actorId,
  from,
  to,
  began: ended,
  at: ended,
  added: part.kind === "added" ? part.words : 0,
  removed: 1,
  changes: 1,
  parts: [part],
});
const happening = (
  stream: string,
  actorId: string,
  type: string,
  version: number,
  time: string,
): Happening => ({
  id: `${stream} ${version} ${type}`,
  type,
  stream: { kind: stream === "w" ? "workspace" : "document", id: stream },
  subjectId: stream,
  actorId,
  version,
  at: time,
  began: time,
  count: 1,
  body: {},
});

const lines = [
  line("budget", "ben", [3, 6], at(24, 12)),
  line("rota", "ana", [2, 2], at(24, 11), { kind: "commented", quote: "x", count: 1 }),
  line("budget", "ana", [2, 2], at(24, 10)),
  line("budget", "ana", [1, 1], at(20, 10), { kind: "event", type: "document.created", count: 1 }),
];
const happenings = [
  happening("w", "ben", "member.joined", 4, at(24, 13)),
  happening("budget", "carol", "document.edited", 7, at(24, 12)),
  happening("budget", "ben", "document.edited", 6, at(24, 12)),
  happening("budget", "ana", "document.edited", 5, at(24, 11)),
];

describe("the activity", () => {
  it("[HOME-10] shows lines, and events that no line covers yet", () => {
    const entries = entriesOf(happenings, lines, at(24, 0));
    expect(
      entries.map(({ document, actorId, kind, line: told }) => [
        document,
        actorId,
        kind,
        told !== null,
      ]),
    ).toEqual([
      [null, "ben", "people", false],
      ["budget", "ben", "writing", true],
      ["budget", "carol", "writing", false],
      ["budget", "ana", "writing", false],
      ["rota", "ana", "comments", true],
      ["budget", "ana", "writing", true],
    ]);
  });

  it("[HOME-10] is sorted by day, then document", () => {
    const rows = placed(entriesOf(happenings, lines, null), clock);
    expect(rows.map(({ day, begins, entry }) => [day, begins, entry.document])).toEqual([
      ["Today", true, null],
      [null, true, "budget"],
      [null, false, "budget"],
      [null, false, "budget"],
      [null, false, "budget"],
      [null, true, "rota"],
      ["Earlier in November", true, "budget"],
    ]);
  });

  it("[HOME-11] is filtered by kind, person and document, and the summary counts the rest", () => {
    const entries = entriesOf(happenings, lines, null);
    const left = (filter: Partial<Parameters<typeof filtered>[1]>) =>
      filtered(entries, { kind: null, by: null, document: null, ...filter });
    expect(left({ kind: "documents" })).toHaveLength(1);
    expect(left({ by: "ana", document: "budget" })).toHaveLength(3);
    const summary = summaryOf(left({ document: "budget" }), clock);
    expect(summary).toMatchObject({
      added: 10,
      removed: 3,
      documents: 1,
      people: [
        { id: "ana", added: 5 },
        { id: "ben", added: 5 },
      ],
      mostEdited: [{ id: "budget", sessions: 2 }],
    });
    expect(summary.days.map(({ label, words }) => `${label}${words}`).join(" ")).toBe(
      "W0 T0 F1 S0 S0 M0 T12",
    );
    // Events older than a week are not counted.
    expect(summaryOf(left({}), { ...clock, now: clock.now + 30 * 86_400_000 })).toMatchObject({
      added: 0,
      people: [],
    });
  });
});
