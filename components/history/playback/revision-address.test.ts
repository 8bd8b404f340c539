import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { stream } from "@/events/history/timeline/rows.fixture";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { addressAt, revisionOf, spanOf } from "@/machines/replay/replay-opening";
import { addressOf, openingOf } from "./revision-address";

const whole = (version: number) => ({ version, edit: null });
const asked = (query: string) => openingOf(new URLSearchParams(query));

/** Creates a history of one author whose events have these numbers of letters. */
function typedIn(events: readonly number[]) {
  const doc = new Y.Doc();
  const textblock = new Y.XmlText();
  doc.getXmlFragment("default").insert(0, [textblock]);
  let time = Date.UTC(2026, 10, 14, 15, 42);
  const letter = () => {
    const before = Y.encodeStateVector(doc);
    textblock.insert(textblock.length, "x");
    return { update: Y.encodeStateAsUpdate(doc, before), time: (time += 100), actorId: "Ana" };
  };
  const begun = { update: Y.encodeStateAsUpdate(doc), time, actorId: "Ana" };
  return openTimeline(
    stream("Minutes", [
      [begun],
      ...events.map((letters) => Array.from({ length: letters }, letter)),
    ]),
  );
}

describe("the address of the past", () => {
  it("[HISTORY-7] names a revision down to an edit, a range, and whether and how fast to play", () => {
    expect(asked("at=12")).toEqual({
      at: { version: 12, edit: null },
      range: null,
      compare: null,
      play: false,
      speed: 1,
      within: null,
    });
    expect(asked("at=12&edit=3")).toMatchObject({ at: { version: 12, edit: 3 } });
    expect(asked("from=5&to=12&play=1&speed=4")).toEqual({
      at: null,
      range: { from: whole(5), to: whole(12) },
      compare: null,
      play: true,
      speed: 4,
      within: null,
    });
    expect(asked("compare=5&since=2&with=12&edit=3")).toMatchObject({
      compare: { version: 5, edit: 2 },
      at: { version: 12, edit: 3 },
    });
    expect(asked("compare=5&with=now")).toMatchObject({
      compare: { version: 5, edit: null },
      at: null,
    });
    expect(asked("from=5&to=12&play=1&within=20")).toMatchObject({ within: 20_000 });
    expect(asked("at=7&play=1&speed=0.25")).toMatchObject({ play: true, speed: 0.25 });
  });

  it("[HISTORY-7] is read without its invalid parts", () => {
    expect(asked("at=-1&from=5&play=yes&speed=3")).toEqual({
      at: null,
      range: null,
      compare: null,
      play: false,
      speed: 1,
      within: null,
    });
    expect(asked("at=9999999999999999999")).toMatchObject({ at: null });
    for (const from of ["5.", ".5", "5.x", "5.1.2", "5.99999999999999999"])
      expect(asked(`from=${from}&to=12`)).toMatchObject({ range: null });
  });

  it(
    "[HISTORY-7] [REPLAY-9] names any two revisions of a history so that the same " +
      "stretch plays, even within one event",
    () => {
      fc.assert(
        fc.property(
          fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 }),
          fc.nat(),
          fc.nat(),
          (events, one, other) => {
            const timeline = typedIn(events);
            const [from, to] = [one % timeline.length, other % timeline.length].sort(
              (a, b) => a - b,
            );
            const range = {
              from: addressAt(timeline, from ?? 0),
              to: addressAt(timeline, to ?? 0),
            };
            const opening = asked(addressOf({ at: addressAt(timeline, to ?? 0), range }));
            expect(timeline.length).toBe(2 + events.reduce((sum, letters) => sum + letters, 0));
            expect([
              spanOf(timeline, opening),
              opening.at && revisionOf(timeline, opening.at),
            ]).toEqual([{ from, to }, to]);
          },
        ),
        { numRuns: 60 },
      );
    },
  );

  it("[HISTORY-7] reads back as the place that was written", () => {
    for (const range of [
      { from: whole(5), to: whole(20) },
      { from: { version: 5, edit: 0 }, to: { version: 5, edit: 12 } },
      { from: whole(5), to: { version: 6, edit: 1 } },
    ]) {
      const place = { at: { version: 12, edit: 3 }, range };
      expect(asked(addressOf(place))).toMatchObject(place);
    }
    expect(addressOf({ at: { version: 12, edit: null }, range: null })).toBe("?at=12");
  });
});
