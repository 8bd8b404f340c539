import { describe, expect, it, vi } from "vitest";
import * as Y from "yjs";
import { pageAt } from "@/events/history/timeline/document-text";
import { row, stream } from "@/events/history/timeline/rows.fixture";
import type { AuthoredEdit } from "@/events/history/timeline/rows.fixture";
import type { TimelineRow } from "@/events/history/timeline/timeline";
import { openTimeline, TimelineBuilder } from "@/events/history/timeline/timeline-builder";
import { previewOf } from "@/events/revisions/restore-preview";
import { forkOf } from "@/events/revisions/fork";
import { mergingOf } from "@/events/revisions/merge";
import type { RestorePreview, RestoreRequest } from "@/events/revisions/restore";
import { Revising } from "./revising";
import { FakeRevisionWorker } from "./revision-worker.fixture";

const acting = {
  userId: "Ben",
  clientId: 4_000_000_001,
  time: Date.UTC(2026, 10, 14),
  eventId: "00000000-0000-4000-8000-000000000099",
};

const ids = {
  parent: "00000000-0000-4000-8000-00000000aaaa",
  fork: "00000000-0000-4000-8000-00000000bbbb",
};

/**
 * Creates a paragraph that grows letter by letter and then loses its beginning. Later text is in
 * another paragraph.
 */
function written(length: number): TimelineRow[] {
  const doc = new Y.Doc();
  doc.clientID = 7;
  const edits: AuthoredEdit[] = [];
  doc.on("update", (update: Uint8Array) =>
    edits.push({ update, time: edits.length * 700, actorId: "Ana" }),
  );
  const textblocks = [new Y.XmlText(), new Y.XmlText()];
  const paragraphs = textblocks.map((textblock) => {
    const paragraph = new Y.XmlElement("paragraph");
    paragraph.insert(0, [textblock]);
    return paragraph;
  });
  doc.getXmlFragment("default").insert(0, paragraphs);
  textblocks[0]?.insert(0, "The beginning of it all. ");
  for (let at = 0; at < 20; at += 1) textblocks[1]?.insert(at, String.fromCharCode(97 + (at % 26)));
  textblocks[0]?.delete(0, 10);
  while (edits.length < length - 1) textblocks[1]?.insert(0, "x");
  return stream(
    "Letters",
    edits.map((edit) => [edit]),
  );
}

const all = written(80);
const begun = 30;

function createRevising(rows = all.slice(0, begun)) {
  const fake = new FakeRevisionWorker();
  const log = { rows, read: 0 };
  const source = {
    read: async (_stream: string, after: number, max = 1000) => {
      const page = log.rows.filter(({ version }) => version > after).slice(0, max);
      log.read += page.length;
      return page;
    },
  };
  return {
    fake,
    log,
    revising: new Revising({ source, documentId: "d", job: () => fake.jobs.job() }),
  };
}

const ofRevision = (rows: readonly TimelineRow[]): RestoreRequest => ({
  kind: "revision",
  timeline: openTimeline(rows),
  index: 15,
});
/** Restores the beginning of the first paragraph as it was before its deletion. */
const ofEvent: RestoreRequest = { kind: "events", from: 23, to: 23, actorId: "Ana" };

function plain(preview: RestorePreview | null) {
  return preview && { ...preview, timeline: preview.timeline.data };
}

describe("a restore prepared in a worker", () => {
  it("[ACT-17] equals the one that the page would prepare", async () => {
    const { log, revising } = createRevising();
    for (const restoreRequest of [ofRevision(log.rows), ofEvent]) {
      const preview = await revising.previewed(restoreRequest, acting);
      expect(preview).not.toBeNull();
      expect(plain(preview)).toEqual(plain(previewOf(restoreRequest, log.rows, acting)));
    }
  });

  it(
    "[ACT-17] folds only the events that others add, and hands over no history for the same " +
      "result",
    async () => {
      const folds = vi.spyOn(TimelineBuilder.prototype, "add");
      const { fake, log, revising } = createRevising();
      let preview = await revising.previewed(ofEvent, acting);
      const first = preview;
      for (let version = begun + 1; version <= all.length; version += 1) {
        log.rows = all.slice(0, version);
        preview = await revising.previewed(ofEvent, acting, preview);
        expect(preview?.base).toBe(version);
        expect(preview?.update).toBe(first?.update);
      }
      const rows = fake.posted.flatMap((each) => (each.call === "rows" ? each.rows : []));
      expect(rows.map(({ version }) => version)).toEqual(all.map(({ version }) => version));
      expect(log.read).toBe(all.length);
      expect(folds).toHaveBeenCalledTimes(all.length);
      folds.mockRestore();
      const histories = fake.values.filter(
        (value) => typeof value === "object" && value !== null && "timeline" in value,
      );
      expect(histories).toHaveLength(1);
      expect(plain(await revising.previewed(ofEvent, acting))).toEqual(
        plain(previewOf(ofEvent, all, acting)),
      );
    },
  );

  it("[ACT-17] is prepared in the page if the worker is lost", async () => {
    const { fake, log, revising } = createRevising();
    await revising.previewed(ofEvent, acting);
    fake.fails = true;
    log.rows = all.slice(0, begun + 5);
    expect(plain(await revising.previewed(ofEvent, acting))).toEqual(
      plain(previewOf(ofEvent, log.rows, acting)),
    );
  });

  it("[ACT-17] begins again if words were redacted since", async () => {
    const { log, revising } = createRevising();
    await revising.previewed(ofEvent, acting);
    log.rows = [
      ...log.rows.map((each): TimelineRow =>
        each.version === begun ? { ...each, update: null } : each,
      ),
      row({ version: begun + 1, actorId: "Ana", type: "document.redacted" }, 10 ** 9),
    ];
    const preview = await revising.previewed(ofEvent, acting);
    expect(plain(preview)).toEqual(plain(previewOf(ofEvent, log.rows, acting)));
    expect(preview?.base).toBe(begun + 1);
  });

  it("[ACT-17] fails with the error, and can be requested again", async () => {
    const { log, revising } = createRevising();
    const whole = log.rows;
    log.rows = whole.filter(({ version }) => version !== 2);
    await expect(revising.previewed(ofEvent, acting)).rejects.toThrow("does not follow");
    log.rows = whole;
    expect(await revising.previewed(ofEvent, acting)).not.toBeNull();
  });
});

it("[ACT-17] a merge prepared in a worker equals the one that the page would prepare", async () => {
  const parent = all.slice(0, begun);
  const [piece] = forkOf(parent, ids.parent);
  if (!piece) throw new Error("the fork begins with nothing");
  const side = [
    row({ version: 1, actorId: "Ana", type: "document.created", body: { title: "" } }, 0),
    row({ version: 2, actorId: "Ana", type: "document.forked", ...piece }, 10),
  ];
  const doc = new Y.Doc();
  Y.applyUpdate(doc, openTimeline(side).state());
  doc.clientID = 11;
  const before = Y.encodeStateVector(doc);
  const block = doc.getXmlFragment("default").get(1);
  const textblock = block instanceof Y.XmlElement ? block.get(0) : null;
  if (textblock instanceof Y.XmlText) textblock.insert(0, "From the fork. ");
  const update = Y.encodeStateAsUpdate(doc, before);
  const [edited] = stream("", [[{ update, time: 20, actorId: "Carol" }]]).slice(1);
  if (!edited) throw new Error("nothing was written");
  const there = [...side, { ...edited, version: 3 }];
  const fake = new FakeRevisionWorker();
  const source = {
    read: async (id: string, after: number) =>
      (id === ids.fork ? there : parent).filter(({ version }) => version > after),
  };
  const revising = new Revising({ source, documentId: ids.parent, job: () => fake.jobs.job() });
  const merging = await revising.merging(ids.fork, acting);
  const here = mergingOf({ id: ids.fork, rows: there }, parent, acting);
  if (!merging || !here) throw new Error("the merge brings nothing");
  expect({ ...merging, timeline: merging.timeline.data }).toEqual({
    ...here,
    timeline: here.timeline.data,
  });
  expect(pageAt(merging.timeline, merging.timeline.length - 1).text).toContain("From the fork.");
});
