import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { cases } from "@/events/core/cases.fixture";
import { hashed, unhashed } from "@/events/proof/chain.fixture";
import type { Json, Proposal, Ruled } from "@/events/core/envelope";
import { importedAuthorKey } from "@/events/history/timeline/imported-history";
import { readCopyIn } from "@/events/crdt/payload/copy-in-payload";
import { blockAt } from "@/events/history/timeline/text-page";
import type { PageNode, PageText } from "@/events/history/timeline/text-page";
import { documentAt } from "@/events/history/timeline/document-text";
import type { Timeline } from "@/events/history/timeline/timeline";
import { openTimeline, timelineOf } from "@/events/history/timeline/timeline-builder";
import { Recording } from "@/events/history/timeline/recording";
import { SegmentBuilder } from "@/events/history/segments/segment";
import { readSegment } from "@/events/history/segments/segment-reader";
import { threadsAt } from "@/machines/past-threads";
import { previewOf } from "@/events/revisions/restore-preview";
import { namedVersions } from "@/events/history/timeline/named-versions";
import { bundleOf, history, people } from "@/events/proof/bundle.fixture";
import { checkBundle } from "@/events/proof/bundle-check";
import type { CheckedBundle } from "@/events/proof/bundle-check";
import { planImport } from "./bundle-import";
import type { ImportPlan } from "./bundle-import";
import { finalTexts } from "@/events/proof/final-text";
import { authorsIn, importedWords, withImported } from "./imported-authors";
import { stepsAfter } from "./imported-steps";
import { importedHistories, importedRows } from "./imported-history.fixture";

const read = async (rows: Ruled[]) => checkBundle(await bundleOf(rows), () => undefined);
let checked: CheckedBundle;
let empty: CheckedBundle;
beforeAll(async () => {
  checked = await read(await history(60));
  empty = await read(await history(0));
});

const now = "2026-11-22T09:00:00.000000Z";

function planned(from: CheckedBundle): ImportPlan {
  let made = 5_000;
  const newId = () => unhashed((made += 1)).id;
  return planImport({
    checked: from,
    file: "cd".repeat(32),
    workspaceId: unhashed(1).workspaceId ?? "",
    newId,
    now,
  });
}

const phases: Record<string, string> = {
  "version.named": "named",
  "version.pinned": "pinned",
  "thread.opened": "open",
  "thread.resolved": "resolved",
  "comment.added": "shown",
};

/** Returns the rows that the database records for an import by Ana. */
function recorded(proposals: Proposal[]): Promise<Ruled[]> {
  const { streamId, actorId } = unhashed(1);
  return hashed(
    proposals.map(
      (
        {
          id,
          type,
          body,
          update = null,
          clientIds = [],
          clientTime = now,
          subject = { kind: "document", id: streamId },
        },
        index,
      ) =>
        unhashed(index + 1, {
          id,
          type,
          body,
          bodyText: JSON.stringify(body),
          update,
          clientIds,
          clientTime,
          subject,
          actorId,
          recordedAt: now,
          toPhase: phases[type] ?? "live",
        }),
    ),
  );
}

const bodyOf = ({ appends }: ImportPlan): { [key: string]: Json } => {
  const body = appends.flat()[1]?.body;
  if (!body || typeof body !== "object" || Array.isArray(body))
    throw new Error("nothing is imported");
  return body;
};

/**
 * Returns the content of a revision on a timeline bar: text, title, author, and the comments with
 * their text.
 */
function shown(timeline: Timeline, index: number, nameOf: (id: string) => string) {
  const { actorId, type } = timeline.revision(index);
  const threads = threadsAt(timeline, index).map(({ id, resolved, anchor, where, comments }) => ({
    id,
    resolved,
    anchor,
    where,
    texts: comments.map(({ authorId, text, deleted }) => [nameOf(authorId), text, deleted]),
  }));
  return {
    text: documentAt(timeline.blocks, index),
    title: timeline.titleAt(index),
    icon: timeline.iconAt(index),
    who: nameOf(actorId),
    type,
    threads,
  };
}

/** Compares every revision of an import with the bundle's revision that it represents. */
function expectSameTimeline(
  imported: Timeline,
  original: Timeline,
  names: (timeline: Timeline) => (id: string) => string,
): void {
  const [there, here] = [names(original), names(imported)];
  for (let index = 0; index < original.length; index += 1) {
    expect(shown(imported, index + stepsAfter, here)).toEqual(shown(original, index, there));
    // A time from a fast clock becomes the recording time, to within a frame.
    expect(
      Math.abs(imported.timeOf(index + stepsAfter) - original.timeOf(index)),
    ).toBeLessThanOrEqual(8);
  }
}

function textsOf(node: PageNode | PageText): PageText[] {
  return "text" in node ? [node] : node.content.flatMap(textsOf);
}

const bare = (name: string) => name.replace(/ \(imported\)$/, "");
const namesIn = (timeline: Timeline) => {
  const all = withImported(people, timeline);
  return (id: string) => bare(all.get(id)?.name ?? "Somebody");
};

describe("the import of a bundle", () => {
  it("[IMPORT-2] creates a document with the bundle's text from new events alone", async () => {
    const plan = planned(checked);
    const types = plan.appends.flat().map(({ type }) => type);
    expect(plan.stepwise).toBe(true);
    expect([types.slice(0, 2), types.at(-1), new Set(types.slice(2, -1))]).toEqual([
      ["document.created", "document.imported"],
      "document.imported",
      new Set(["document.step_imported"]),
    ]);
    const timeline = openTimeline(await recorded(plan.appends.flat()));
    expect(timeline.anomalies).toEqual([]);
    expect(finalTexts(timeline)).toEqual(finalTexts(checked.timeline));
    expect(readCopyIn(plan.appends.flat()[1]?.update ?? new Uint8Array())?.source).toBe(
      checked.bundle.manifest.document.id,
    );
  });

  it.each([true, false])(
    "[ICON-6] sets the bundle's last icon by an event of the importer (step by step: %s)",
    async (stepwise) => {
      const iconOf = (rows: Ruled[]) => openTimeline(rows).iconAt(Infinity);
      const ended = async (...emoji: (string | null)[]) => {
        const begun = await history(2);
        const rows = await hashed([
          ...begun,
          ...emoji.map((each, index) => {
            const body = { emoji: each };
            const fields = { type: "document.icon_set", body, bodyText: JSON.stringify(body) };
            return unhashed(begun.length + 1 + index, { ...fields, update: null, clientIds: [] });
          }),
        ]);
        const from = await read(rows);
        const long = {
          ...from,
          bundle: {
            ...from.bundle,
            rows: Array.from({ length: 50_001 }, () => rows[0] ?? unhashed(1)),
          },
        };
        const plan = planned(stepwise ? from : long);
        expect(plan.stepwise).toBe(stepwise);
        return plan.appends.flat();
      };
      const kept = await ended("🗺️", "🌊");
      expect(kept.at(-1)).toMatchObject({ type: "document.icon_set", body: { emoji: "🌊" } });
      expect(iconOf(await recorded(kept))).toBe("🌊");
      // A bundle may contain any text here.
      for (const none of [await ended(), await ended("🌊", null), await ended("No emoji at all")])
        expect(none.map(({ type }) => type)).not.toContain("document.icon_set");
    },
  );

  it("[IMPORT-2] names the source of a document without text", async () => {
    const timeline = openTimeline(await recorded(planned(empty).appends.flat()));
    expect(timeline.anomalies).toEqual([]);
    expect(finalTexts(timeline)).toEqual(finalTexts(empty.timeline));
    expect(importedWords(timeline.marks, timeline.length - 1)).toContain("Imported from");
  });

  it("[IMPORT-3] records the file, its document, head and number of events", () => {
    const { manifest } = checked.bundle;
    expect(bodyOf(planned(checked))).toMatchObject({
      document: manifest.document.id,
      version: 61,
      head: manifest.head.hash,
      bundle: "cd".repeat(32),
      events: 61,
    });
  });

  it("[IMPORT-3] keeps its authors' names and client ids", async () => {
    expect(bodyOf(planned(checked)).authors).toEqual([
      { name: "Ana <b>Marić</b>", clients: [7] },
      { name: "Ben Okafor", clients: [9] },
    ]);
    const timeline = openTimeline(await recorded(planned(checked).appends.flat()));
    expect(importedWords(timeline.marks, 0)).toBeNull();
    expect(importedWords(timeline.marks, 1)).toBe(
      "Imported from “Plans </script> & “more””, exported by Ana Marić on 21 November " +
        "2026. Written there by Ana <b>Marić</b> and Ben Okafor.",
    );
    expect(authorsIn(timeline, withImported(people, timeline)).map(({ name }) => name)).toEqual([
      "Ana <b>Marić</b>",
      "Ana <b>Marić</b> (imported)",
      "Ben Okafor (imported)",
    ]);
    expect(timeline.revision(4).actorId).toBe(importedAuthorKey(1));
  });

  it(
    "[ACT-2] [IMPORT-5] lets an imported author's changes be undone, which the log " +
      "records as the importer's",
    async () => {
      const rows = await recorded(planned(checked).appends.flat());
      const timeline = openTimeline(rows);
      const last = timeline.length - 1;
      const authorKey = importedAuthorKey(1);
      const acting = {
        userId: unhashed(1).actorId,
        clientId: 99,
        time: Date.parse(now),
        eventId: unhashed(9_000).id,
      };
      const standing = (of: Timeline) =>
        of.blocks.flatMap((block) =>
          blockAt(block, {
            at: of.length - 1,
            struckSince: of.length - 1,
            tint: (born) => of.revision(born).actorId,
          }).flatMap(textsOf),
        );
      const by = (of: Timeline) =>
        standing(of).filter(({ born }) => of.revision(born).actorId === authorKey).length;
      const preview = previewOf(
        { kind: "author", timeline, author: authorKey, from: 0, to: last },
        rows,
        acting,
      );
      expect(preview?.body).toMatchObject({
        kind: "author",
        author: unhashed(1).actorId,
        to: timeline.version,
      });
      expect([by(timeline) > 0, preview && by(preview.timeline)]).toEqual([true, 0]);
      // The other author's text stays.
      const others = (of: Timeline) =>
        standing(of)
          .filter(({ born }) => of.revision(born).actorId === importedAuthorKey(0))
          .map(({ text }) => text)
          .join("");
      expect(preview && others(preview.timeline)).toContain(others(timeline));
    },
  );

  it("[IMPORT-5] replays any history revision by revision, also after a second import", async () => {
    const tally = { threads: 0, versions: 0, redacted: 0, rejected: 0, forked: 0 };
    await fc.assert(
      fc.asyncProperty(importedHistories, async (importedHistory) => {
        const rows = await importedRows(importedHistory);
        const first = await read(rows);
        const plan = planned(first);
        expect(plan.stepwise).toBe(true);
        const imported = await recorded(plan.appends.flat());
        const timeline = openTimeline(imported);
        expect(timeline.anomalies).toEqual([]);
        expectSameTimeline(timeline, first.timeline, namesIn);
        const versions = (each: Timeline) =>
          namedVersions(each)
            .map(({ revision, name }) => ({ revision, name }))
            .filter(({ name }) => name !== "");
        expect(versions(timeline)).toEqual(
          versions(first.timeline).map(({ revision, name }) => ({
            revision: revision + stepsAfter,
            name,
          })),
        );

        const threadsBefore = threadsAt(first.timeline, first.timeline.length - 1);
        const here = threadsAt(timeline, timeline.length - 1);
        const open = threadsBefore.filter(
          ({ anchor, comments }) =>
            anchor.quote !== "" && comments.some(({ deleted, text }) => !deleted && text !== ""),
        );
        expect(open.map(({ id, resolved }) => [id, resolved])).toEqual(
          here
            .filter(({ id }) => open.some((each) => each.id === id))
            .map(({ id, resolved }) => [id, resolved]),
        );
        for (const { id, comments } of open) {
          const listed = here
            .find((each) => each.id === id)
            ?.comments.map(({ text }) => text.replace(/^.*? \(imported\): /, ""));
          expect(listed).toEqual(comments.map(({ text }) => text));
        }

        const again = await read(imported);
        expect(again.redacted).toEqual([]);
        const twice = openTimeline(await recorded(planned(again).appends.flat()));
        expectSameTimeline(twice, timeline, namesIn);

        tally.threads += threadsAt(first.timeline, first.timeline.length - 1).length;
        tally.versions += versions(first.timeline).length;
        tally.redacted += first.redacted.length;
        tally.rejected += first.rejected;
        tally.forked += Number(importedHistory.forked);
      }),
      { numRuns: cases(60) },
    );
    expect(Object.entries(tally).filter(([, count]) => count === 0)).toEqual([]);
  });

  it("[IMPORT-5] [SEGMENT-1] has the same timeline in its segments as in the log", async () => {
    const rows = await recorded(
      planned(
        await read(
          await importedRows({
            gestures: [
              { kind: 0, at: 0, size: 1, writer: 0, word: "the quick" },
              { kind: 1, at: 0, size: 4, writer: 1, word: "brown" },
            ],
            apart: 1,
            actions: [
              { after: 1, choice: 0 },
              { after: 2, choice: 1 },
              { after: 2, choice: 2 },
            ],
            forked: true,
          }),
        ),
      ).appends.flat(),
    );
    const builder = new SegmentBuilder();
    for (const row of rows) builder.add(row);
    const recording = new Recording();
    readSegment(recording, builder.finish()?.bytes ?? new Uint8Array());
    const [log, segments] = [openTimeline(rows), timelineOf(recording.finish())];
    expect(segments.authors).toEqual(log.authors);
    expect(segments.marks).toEqual(log.marks);
    for (let index = 0; index < log.length; index += 1)
      expect(shown(segments, index, namesIn(segments))).toEqual(shown(log, index, namesIn(log)));
  });

  it(
    "[IMPORT-6] keeps requests within the backend's limits, and drops the text of a " +
      "body that does not fit",
    async () => {
      const long = "x".repeat(9_990);
      const subject = { kind: "comment", id: unhashed(77).id };
      const commentRows = Array.from({ length: 150 }, (_, index) =>
        unhashed(index + 2, {
          type: "comment.added",
          subject,
          bodyText: JSON.stringify({ thread: subject.id, text: long }),
          update: null,
          clientIds: [],
        }),
      );
      const controls = unhashed(152, {
        type: "comment.added",
        subject,
        bodyText: JSON.stringify({ thread: subject.id, text: `x${"\u0001".repeat(9_999)}` }),
        update: null,
        clientIds: [],
      });
      const { appends } = planned(
        await read(
          await hashed([
            unhashed(1, {
              bodyText: JSON.stringify({ workspaceId: unhashed(1).workspaceId, title: "T" }),
            }),
            ...commentRows,
            controls,
          ]),
        ),
      );
      for (const request of appends) {
        expect(request.length).toBeLessThanOrEqual(200);
        expect(
          JSON.stringify(
            request.map(({ update, body }) => [
              Buffer.from(update ?? []).toString("base64"),
              JSON.stringify(body),
            ]),
          ).length,
        ).toBeLessThan(2 ** 20);
      }
      const bodies = appends.flat().map(({ body }) => body);
      expect(JSON.stringify(bodies[3])).toContain(long);
      expect(bodies[153]).toMatchObject({
        type: "comment.added",
        kept: JSON.stringify({ thread: subject.id, text: "" }),
        text: "",
      });
    },
  );

  it("[IMPORT-6] drops the content of a body that no log would have recorded", async () => {
    const forged = { kind: "thread", id: unhashed(77).id };
    const rows = await hashed([
      ...(await history(2)),
      unhashed(4, {
        type: "thread.opened",
        subject: forged,
        bodyText: '{"start":{},"end":7}',
        update: null,
        clientIds: [],
      }),
    ]);
    const timeline = openTimeline(await recorded(planned(await read(rows)).appends.flat()));
    expect(timeline.marks.find(({ type }) => type === "thread.opened")?.body).toEqual({});
    expect(threadsAt(timeline, timeline.length - 1)).toEqual([]);
  });

  it("[IMPORT-6] imports the final text alone when the history is too long", async () => {
    const long = {
      ...checked,
      bundle: {
        ...checked.bundle,
        rows: Array.from({ length: 50_001 }, () => checked.bundle.rows[0]!),
      },
    };
    const plan = planned(long);
    expect([
      plan.stepwise,
      new Set(
        plan.appends
          .flat()
          .slice(1)
          .map(({ type }) => type),
      ),
    ]).toEqual([false, new Set(["document.imported"])]);
    const timeline = openTimeline(await recorded(plan.appends.flat()));
    expect(finalTexts(timeline)).toEqual(finalTexts(checked.timeline));
  });
});
