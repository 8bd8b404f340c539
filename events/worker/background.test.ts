import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { anyTimeline } from "@/events/analysis/analysis.fixture";
import { answered } from "@/events/analysis/analysis-query";
import type { Question } from "@/events/analysis/analysis-query";
import { contentOriginOf } from "@/events/analysis/lineage/copy-in";
import { deriverHere } from "./deriver";
import { growTimeline, readTimeline, readWhole } from "./history";
import { stream } from "@/events/history/timeline/rows.fixture";
import type { AuthoredEdit } from "@/events/history/timeline/rows.fixture";
import type { Timeline, TimelineRow } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { SegmentBuilder } from "@/events/history/segments/segment";
import * as Y from "yjs";
import { Background } from "./background";
import { fakeWorker } from "./fake-worker.fixture";
import { Jobs } from "./jobs";

function written(): TimelineRow[] {
  const doc = new Y.Doc();
  const edits: AuthoredEdit[] = [];
  doc.on("update", (update: Uint8Array) =>
    edits.push({ update, time: edits.length * 700, actorId: edits.length % 7 < 4 ? "Ana" : "Ben" }),
  );
  const [paragraph, words] = [new Y.XmlElement("paragraph"), new Y.XmlText()];
  paragraph.insert(0, [words]);
  doc.getXmlFragment("default").insert(0, [paragraph]);
  for (let at = 0; at < 600; at += 1) {
    if (at % 11 === 10) words.delete(at % 5, 1);
    else words.insert(at % 5, String.fromCharCode(97 + (at % 26)));
  }
  return stream(
    "Letters",
    edits.map((edit) => [edit]),
  );
}

const rows = written();
const quiet = {
  documentId: "d",
  signal: new AbortController().signal,
  onProgress: () => undefined,
};
const read = async (_stream: string, after: number, max = 1000) =>
  rows.filter(({ version }) => version > after).slice(0, max);

function storedSegments(): Uint8Array[] {
  const builder = new SegmentBuilder();
  for (const row of rows.slice(0, 400)) builder.add(row);
  const segment = builder.finish();
  return segment ? [segment.bytes] : [];
}

async function* pieces(bytes: Uint8Array[]) {
  yield* bytes;
}

describe("a history derived in a worker", () => {
  it.each([
    ["the log alone", undefined],
    ["segments and the events after them", () => pieces(storedSegments())],
    [
      "segments that cannot be read",
      () => pieces([new Uint8Array([1, 2, 3]), ...storedSegments()]),
    ],
  ])("equals the one derived in the page, from %s [SEGMENT-5]", async (_from, segments) => {
    const background = new Background(() => fakeWorker({ jobs: new Jobs() }));
    const source = { read, ...(segments && { segments }) };
    const here = await readTimeline({ ...quiet, source });
    const { timeline, state } = await readWhole({
      ...quiet,
      source,
      derive: () => background.deriver(),
    });
    expect(timeline.data).toEqual(here.data);
    expect(state).toEqual(openTimeline(rows).state());
  });

  it.each([0, 1, 2])(
    "is derived in the page if no worker starts, or if it is lost at message %i [SEGMENT-5]",
    async (message) => {
      let taken = 0;
      const background = new Background(() =>
        fakeWorker({ jobs: new Jobs(), dies: () => taken++ === message }),
      );
      const none = new Background(() => {
        throw new Error("refused by the policy");
      });
      const expected = (await readTimeline({ ...quiet, source: { read }, derive: deriverHere }))
        .data;
      for (const each of [background, none]) {
        const timeline = await readTimeline({
          ...quiet,
          source: { read, segments: () => pieces(storedSegments()) },
          derive: () => each.deriver(),
        });
        expect(timeline.data).toEqual(expected);
      }
    },
  );

  it(
    "[OFFLINE-23] is derived in a new worker after one was " + "lost, until three were lost",
    async () => {
      let made = 0;
      let lost = 0;
      let dying = true;
      const background = new Background(() => {
        made += 1;
        return fakeWorker({ jobs: new Jobs(), dies: () => dying });
      });
      background.onLost(() => (lost += 1));
      const derive = async () =>
        (await readTimeline({ ...quiet, source: { read }, derive: () => background.deriver() }))
          .data;
      const expected = await derive();
      expect([made, lost]).toEqual([1, 1]);
      dying = false;
      expect(await derive()).toEqual(expected);
      expect(await derive()).toEqual(expected);
      expect([made, lost]).toEqual([2, 1]);
      dying = true;
      for (let times = 0; times < 4; times += 1) expect(await derive()).toEqual(expected);
      expect([made, lost]).toEqual([3, 3]);
    },
  );

  it("fails with the error of the worker [SEGMENT-5]", async () => {
    const background = new Background(() => fakeWorker({ jobs: new Jobs() }));
    const gap = async () => rows.filter(({ version }) => version !== 2);
    await expect(
      readTimeline({ ...quiet, source: { read: gap }, derive: () => background.deriver() }),
    ).rejects.toThrow("does not follow");
  });
});

describe("a question about a long history", () => {
  it("is put to the history that the worker derived, without a copy of it [SEGMENT-5]", async () => {
    const jobs = new Jobs();
    const take = vi.spyOn(jobs, "take");
    const background = new Background(() => fakeWorker({ jobs }));
    let end = 300;
    const growing = await growTimeline({
      ...quiet,
      source: {
        read: async (...page) => (await read(...page)).filter((row) => row.version <= end),
      },
      derive: () => background.deriver(),
    });
    const question: Question = { kind: "statistics", at: 200 };
    const ask = async (timeline: Timeline) => {
      take.mockClear();
      const runner = background.queryRunner(timeline.data, timeline.version, []);
      expect(await runner.ask(question)).toEqual(
        answered(timeline, contentOriginOf(timeline), question),
      );
      return take.mock.calls.map(([{ message }]) => message.call);
    };
    expect(await ask(growing.timeline)).toEqual(["openDerived", "ask"]);
    end = 600;
    const grown = await growing.grow();
    expect(await ask(grown)).toEqual(["openDerived", "ask"]);
    // The worker has since added rows or dropped the history.
    expect(await ask(growing.timeline)).toEqual(["openDerived", "open", "ask"]);
    growing.close();
    expect(await ask(grown)).toEqual(["close", "openDerived", "open", "ask"]);
  });

  it("is answered in the worker as in the page [SEGMENT-5]", async () => {
    await fc.assert(
      fc.asyncProperty(anyTimeline, fc.nat(), async (timeline, revision) => {
        const at = revision % timeline.length;
        const queryRunner = new Background(() => fakeWorker({ jobs: new Jobs() })).queryRunner(
          timeline.data,
          timeline.version,
          [],
        );
        const questions: Question[] = [
          { kind: "statistics", at },
          { kind: "passages", at, most: 5 },
          { kind: "account", stretch: { after: -1, to: at } },
          { kind: "search", words: "e" },
          { kind: "rewriting" },
        ];
        for (const question of questions)
          expect(await queryRunner.ask(question)).toEqual(
            answered(timeline, contentOriginOf(timeline), question),
          );
      }),
      { numRuns: 40 },
    );
  });
});
