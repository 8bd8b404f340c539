import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleOf, people as bundled } from "@/events/proof/bundle.fixture";
import { checkBundle } from "@/events/proof/bundle-check";
import { planImport } from "@/machines/import/bundle-import";
import { finalTexts } from "@/events/proof/final-text";
import { withImported } from "@/machines/import/imported-authors";
import { stepsAfter } from "@/machines/import/imported-steps";
import { redactionOf } from "@/events/proof/redaction-event";
import { importedRows } from "@/machines/import/imported-history.fixture";
import { schemaNames } from "@/events/content/schema-names";
import { toBase64 } from "@/events/core/bytes/base64";
import { copyInPayload } from "@/events/crdt/payload/copy-in-payload";
import { redact } from "@/events/crdt/payload/redaction";
import { documentAt } from "@/events/history/timeline/document-text";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import type { Ruled } from "@/events/core/envelope";
import { checkHistory } from "@/events/proof/verification";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { testDatabase, verdict } from "@/tests/support/database/database";
import type { NewProposal, TestDatabase, User } from "@/tests/support/database/database";
import { granted, join, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let carol: User;
let dora: User;
let workspace: string;
let rows: Ruled[];
let imported: string;

const word = (kind: number, writer: number, text: string, size = 0) => ({
  kind,
  at: 0,
  size,
  writer,
  word: text,
});

beforeAll(async () => {
  db = await testDatabase();
  carol = db.newUser("Carol");
  dora = db.newUser("Dora");
  workspace = await newWorkspace(db, carol);
  await join(db, carol, workspace, dora, "editor");
  rows = await importedRows({
    gestures: [
      word(0, 0, "Whoever reads"),
      word(1, 1, "aloud, ", 8),
      word(3, 2, "b", 4),
      word(2, 0, "", 9),
      word(0, 1, "A second line"),
      word(4, 1, ""),
    ],
    apart: 1,
    actions: [
      [1, 0],
      [2, 1],
      [2, 2],
      [3, 5],
      [3, 7],
      [4, 10],
      [4, 3],
      [5, 8],
      [5, 8],
      [9, 9],
      [9, 0],
    ].map(([after = 0, choice = 0]) => ({ after, choice })),
    forked: true,
  });
  imported = await importOf(rows);
});
afterAll(() => db.stop());

async function importOf(from: Ruled[]): Promise<string> {
  const checked = await checkBundle(await bundleOf(from), () => undefined);
  const { appends, stepwise } = planImport({
    checked,
    file: "cd".repeat(32),
    workspaceId: workspace,
    newId: randomUUID,
    now: new Date().toISOString(),
  });
  expect(stepwise).toBe(true);
  const id = randomUUID();
  for (const [index, request] of appends.entries())
    granted(await db.append(carol, id, index === 0 ? 0 : null, request));
  return id;
}

const read = (document: string) => db.read(carol, document);
const timelineShown = (from: Ruled[]) => {
  const timeline = openTimeline(from);
  const known = withImported(bundled, timeline);
  return Array.from({ length: timeline.length }, (_, index) => {
    const { actorId, type } = timeline.revision(index);
    return {
      text: documentAt(timeline.blocks, index),
      title: timeline.titleAt(index),
      who: (known.get(actorId)?.name ?? "Somebody").replace(/ \(imported\)$/, ""),
      type,
      time: timeline.timeOf(index),
    };
  });
};

describe("an imported history", () => {
  it("[IMPORT-5] has every original event at its own time, verifies, and has one actor", async () => {
    const here = await read(imported);
    expect(new Set(here.map(({ actorId }) => actorId))).toEqual(new Set([carol.id]));
    const [importedHere, original] = [timelineShown(here), timelineShown(rows)];
    expect(importedHere.slice(stepsAfter, stepsAfter + original.length)).toEqual(original);
    const timeline = openTimeline(here);
    expect(timeline.anomalies).toEqual([]);
    expect(finalTexts(timeline).json).toBe(finalTexts(openTimeline(rows)).json);
    const fold = new ConfirmedDocument(null);
    for (const row of here) fold.integrate(row);
    expect(fold.anomalies).toEqual([]);
    const report = await checkHistory({
      stream: imported,
      source: { read: async (_, after) => (await read(imported)).slice(after) },
      redactionOf,
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });
    expect(report).toMatchObject({ verdict: "intact", head: { version: here.length } });
  });

  it(
    "[IMPORT-5] [IMPORT-9] has its title, versions and comments in the read models, also " +
      "after a rebuild",
    async () => {
      const models = async () =>
        JSON.stringify([
          await db.sql`select * from documents order by id`,
          await db.sql`select * from versions order by document_id, id`,
          await db.sql`select * from private.subjects order by stream_id, kind, id`,
        ]);
      const [document] = await db.sql`select title, phase from documents where id = ${imported}`;
      expect(document).toEqual({ title: openTimeline(rows).titleAt(Infinity), phase: "live" });
      const named = rows.filter(({ type }) => type === "version.named");
      const versions =
        await db.sql`select id, at::int, pinned from versions where document_id = ${imported}`;
      expect([...versions]).toEqual(
        named.map(({ subject, version }) => ({
          id: subject.id,
          at: version - 1 + stepsAfter,
          pinned: true,
        })),
      );
      const [comment] =
        await db.sql`select t.phase, c.text, c.author_id from threads t join comments c on
        c.document_id = t.document_id and c.thread_id = t.id where t.document_id = ${imported}`;
      expect(comment).toEqual({
        phase: "resolved",
        text: expect.stringMatching(/^(Ana|Ben).*, 14 November 2026 \(imported\): Really, \d+\?$/),
        author_id: carol.id,
      });
      const before = await models();
      await db.sql`select rebuild_projections()`;
      expect(await models()).toBe(before);
    },
  );

  it("[IMPORT-5] replays the same after an export and a second import", async () => {
    const again = await read(await importOf(await read(imported)));
    const replayed = timelineShown(again);
    expect(replayed.slice(2 * stepsAfter, 2 * stepsAfter + timelineShown(rows).length)).toEqual(
      timelineShown(rows),
    );
  });

  it("[IMPORT-7] reserves its client ids, and takes steps from its importer and source alone", async () => {
    const client = rows.flatMap(({ clientIds }) => clientIds)[0] ?? 0;
    expect(
      verdict(
        await db.append(dora, imported, null, [
          { type: "document.edited", body: {}, update: Uint8Array.of(0, 0), clientIds: [client] },
        ]),
      ),
    ).toBe("not-permitted");
    const source = rows[0]?.streamId ?? "";
    const body = {
      version: 1,
      type: "document.edited",
      subject: null,
      phase: "live",
      author: 0,
      kept: "{}",
      text: "",
    };
    const step = (from = source): NewProposal => ({
      type: "document.step_imported",
      body,
      update: copyInPayload({ source: from, payload: Uint8Array.of(0, 0) }),
    });
    const begun = (from = source): NewProposal[] => [
      { type: "document.created", body: { workspaceId: workspace, title: "" } },
      {
        type: "document.imported",
        body: {
          document: from,
          version: 1,
          head: "a".repeat(64),
          bundle: "b".repeat(64),
          events: 1,
          label: "L",
          authors: [],
        },
        update: copyInPayload({ source: from, payload: Uint8Array.of(0, 0) }),
      },
    ];
    const [created, header] = begun();
    if (!created || !header) throw new Error("nothing begins");
    const attempt = async (events: NewProposal[], more: NewProposal[] = [], by = carol) => {
      const id = randomUUID();
      granted(await db.append(carol, id, 0, events));
      return verdict(await db.append(by, id, null, more));
    };
    expect(await attempt([...begun(), step()], [step(), header])).toBe("ok");
    expect(await attempt(begun(), [step()], dora)).toBe("illegal-transition");
    expect(await attempt(begun(), [step(randomUUID())])).toBe("illegal-transition");
    expect(await attempt(begun(), [{ ...step(), update: Uint8Array.of(0, 0) }])).toBe(
      "invalid-event",
    );
    expect(await attempt([...begun(), step(), header], [step()])).toBe("illegal-transition");
    expect(
      await attempt(
        [...begun(), step()],
        [{ ...header, body: { ...(header.body as object), label: "Another" } }],
      ),
    ).toBe("illegal-transition");
    expect(
      await attempt([...begun(), { type: "document.renamed", body: { title: "Mine" } }], [step()]),
    ).toBe("illegal-transition");
    expect(
      verdict(await db.append(carol, await newDocument(db, carol, workspace), null, [step()])),
    ).toBe("illegal-transition");
  });

  it("[IMPORT-8] has a step redacted like any event: its words go, the event stays", async () => {
    const [step, repeated, ...more] = (await read(imported)).filter(({ bodyText }) =>
      bodyText?.includes("Really"),
    );
    if (!step || !repeated) throw new Error("nothing was said");
    expect([step.type, repeated.type, more]).toEqual([
      "document.step_imported",
      "comment.added",
      [],
    ]);
    for (const row of [step, repeated]) {
      const tombstone = redact(row.update, Date.parse(row.clientTime), schemaNames);
      if (row.update) await db.sql`select attest_tombstone(${row.id}, ${toBase64(tombstone)})`;
      granted(
        await db.append(carol, imported, null, [
          {
            type: "document.redacted",
            body: { event: row.id, reason: "Leaked" },
            update: tombstone,
          },
        ]),
      );
    }
    const here = await read(imported);
    expect(JSON.stringify(here)).not.toContain("Really");
    const mark = openTimeline(here).marks.find(({ version }) => version === step.version);
    expect(mark).toMatchObject({
      type: "comment.added",
      body: { text: "" },
      actorId: expect.stringMatching(/^imported:/),
    });
  });
});
