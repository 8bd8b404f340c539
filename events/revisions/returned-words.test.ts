import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accountOfChanges } from "@/events/analysis/account-of-changes";
import { passagesAt } from "@/events/analysis/attribution";
import { searchThroughTime } from "@/events/analysis/deleted-text-search";
import { lifeOfPassage, rangeOf } from "@/events/analysis/passage";
import { rewritingOf } from "@/events/analysis/rewriting";
import { cases } from "@/events/core/cases.fixture";
import { row, stream } from "@/events/history/timeline/rows.fixture";
import { scriptOf, standsAt } from "@/events/history/timeline/script";
import type { Timeline, TimelineRow } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { gestureWith, richEdits, rewritingGesture } from "@/events/crdt/updates/rich-edits.fixture";
import { never } from "@/events/crdt/updates/lifespans";
import { previewOf } from "./restore-preview";
import type { RestoreRequest } from "./restore";

const people = new Map([
  [3_141_592_653, "Ana"],
  [7, "Ben"],
  [2 ** 40 + 1, "Carol"],
]);
const start = Date.UTC(2026, 10, 14, 15, 42);
const hour = 3_600_000;

function rowsOf(edits: { client: number; update: Uint8Array }[], apart = hour): TimelineRow[] {
  return stream(
    "Minutes",
    edits.map(({ client, update }, at) => [
      { update, time: start + at * apart, actorId: people.get(client) ?? "" },
    ]),
  );
}

/** Adds a row in which Carol restores. Returns the same rows if nothing would change. */
function fulfilled(
  rows: TimelineRow[],
  restoreRequest: RestoreRequest,
  clientId = 99,
): TimelineRow[] {
  const time = start + (rows.length + 9) * hour;
  const preview = previewOf(restoreRequest, rows, {
    userId: "Carol",
    clientId,
    time,
    eventId: "00000000-0000-4000-8000-000000000099",
  });
  if (!preview) return rows;
  const { type, body, update, clientIds } = preview;
  return [
    ...rows,
    row({ version: rows.length + 1, actorId: "Carol", type, body, update, clientIds }, time),
  ];
}

const long = "We correct promptly and in the open, and never without a note.";
const written = [
  { writer: 0, kind: 0, at: 0, size: 1, word: "It stays." },
  { writer: 0, kind: 0, at: 1, size: 1, word: long },
  { writer: 0, kind: 3, at: 1, size: 14, word: "" },
  { writer: 1, kind: 4, at: 1, size: 0, word: "" },
];

function wordsOf(timeline: Timeline) {
  return passagesAt(timeline, timeline.length - 1).map(({ text, author, atOnce, returned }) => [
    text,
    timeline.authors[author],
    atOnce,
    returned === null ? null : timeline.authors[timeline.authorOf(returned)],
  ]);
}

describe("restored words", () => {
  const rows = rowsOf(richEdits(written));
  const timeline = openTimeline(rows);
  const last = timeline.length - 1;
  const whole = () => {
    const { textblocks } = scriptOf(timeline);
    const textblock = textblocks.findIndex(({ text }) => text === long);
    return { start: { textblock, offset: 0 }, end: { textblock, offset: long.length - 1 } };
  };
  const restoreRequests: [string, RestoreRequest][] = [
    ["with the moment", { kind: "revision", timeline, index: last - 1 }],
    ["as chosen words", { kind: "words", timeline, index: last - 1, range: whole() }],
    [
      "by taking back what took them",
      { kind: "events", from: rows.length, to: rows.length, actorId: "Ben" },
    ],
  ];

  it.each(restoreRequests)(
    "keep their author, and name the person who restored them: %s [UNDERSTAND-20]",
    (_, restoreRequest) => {
      const after = openTimeline(fulfilled(rows, restoreRequest));
      expect(after.anomalies).toEqual([]);
      expect(wordsOf(after)).toEqual([
        ["It stays.", "Ana", false, null],
        [long, "Ana", true, "Carol"],
      ]);
      const account = accountOfChanges(after, { after: -1, to: after.length - 1 });
      expect(
        account.map(({ author, added, removed }) => [
          after.authors[author],
          added > 0,
          removed > 0,
        ]),
      ).toEqual([
        ["Ana", true, false],
        ["Ana", true, false],
        ["Ben", false, true],
      ]);
      expect(searchThroughTime(after, "promptly").map(({ until, gone }) => [until, gone])).toEqual([
        [null, false],
      ]);
      const places = scriptOf(after).textblocks.flatMap((textblock, index) =>
        [...textblock.born.keys()]
          .filter((offset) => standsAt(textblock, offset, after.length - 1))
          .map((offset) => ({ textblock: index, offset })),
      );
      const range = rangeOf(places);
      expect(
        range &&
          lifeOfPassage(after, range).map(({ author, restored }) => [
            after.authors[author],
            restored !== null,
          ]),
      ).toEqual([
        ["Ana", false],
        ["Ana", false],
        ["Ben", false],
        ["Carol", true],
      ]);
    },
  );

  it("keep their age in any history, after two restores to any revision [UNDERSTAND-20]", () => {
    let returned = 0;
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            rewritingGesture.map((each) => ({ ...each, word: "" })),
            gestureWith(fc.constant("")),
          ),
          { minLength: 5, maxLength: 30 },
        ),
        fc.nat(),
        fc.nat(),
        (gestures, one, other) => {
          const letter = (at: number) => String.fromCharCode(0xac00 + at);
          let all = rowsOf(
            richEdits(
              gestures.map((each, at) => ({ ...each, word: `${letter(at)}${letter(at)} ` })),
            ),
            500,
          );
          for (const [at, pick] of [one, other].entries()) {
            const before = openTimeline(all);
            all = fulfilled(
              all,
              { kind: "revision", timeline: before, index: pick % before.length },
              99 + at,
            );
          }
          const after = openTimeline(all);
          const rewriting = rewritingOf(after);
          const firsts = new Map<string, number>();
          for (const { text, born } of scriptOf(after).textblocks) {
            for (const [offset, each] of [...text].entries())
              firsts.set(each, Math.min(firsts.get(each) ?? never, born[offset] ?? never));
          }
          for (const textblock of scriptOf(after).textblocks) {
            const { born } = rewriting.livesOf(textblock);
            for (const [offset, each] of [...textblock.text].entries()) {
              if (each.trim() === "" || !standsAt(textblock, offset, after.length - 1)) continue;
              if (rewriting.letters.isReturned(textblock.start + offset)) returned += 1;
              expect(born[offset]).toBe(firsts.get(each));
            }
          }
        },
      ),
      { numRuns: cases(80) },
    );
    expect(returned).toBeGreaterThan(cases(100));
  });
});
