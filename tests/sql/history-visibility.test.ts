import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as Y from "yjs";
import { toBase64 } from "@/events/core/bytes/base64";
import { copyInEvents } from "@/events/revisions/copy-in-events";
import { seesEverything } from "@/machines/history-visibility";
import type { HistoryVisibility } from "@/machines/history-visibility";
import { roles } from "@/machines/member";
import { testDatabase, verdict } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { granted, join, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";
import { textblockOf } from "@/tests/support/line";

let db: TestDatabase;
let ana: User;
let workspace: string;
let document: string;
let state: string;
const people = new Map<string, User>();
const named = 2;

beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  workspace = await newWorkspace(db, ana);
  document = await newDocument(db, ana, workspace);
  const doc = new Y.Doc();
  doc.clientID = 5;
  textblockOf(doc).insert(0, "Words");
  const update = Y.encodeStateAsUpdate(doc);
  granted(
    await db.append(ana, document, null, [
      { type: "document.edited", body: {}, clientIds: [5], update },
      { type: "document.renamed", body: { title: "Later" } },
    ]),
  );
  granted(
    await db.append(ana, document, null, [
      {
        type: "version.named",
        subject: { kind: "version", id: randomUUID() },
        body: { at: named, name: "First" },
      },
    ]),
  );
  state = toBase64(update);
  for (const version of [1, named, 3, 4])
    await db.sql`select write_snapshot(${document}, ${version}, ${state})`;
  const [head] =
    await db.sql`select encode(hash, 'hex') as hash from events where stream_id = ${document} and version = 4`;
  await db.sql`select write_segment(${document}, 1, 4, 4, 1, 4, ${String(head?.hash)}, ${state})`;
  for (const role of roles) {
    const user = db.newUser(role);
    await join(db, ana, workspace, user, role);
    people.set(role, user);
  }
  const removed = db.newUser("Dora");
  await join(db, ana, workspace, removed, "viewer");
  granted(
    await db.append(ana, workspace, null, [
      { type: "member.removed", subject: { kind: "member", id: removed.id }, body: {} },
    ]),
  );
  people.set("removed", removed);
  people.set("stranger", db.newUser("Mallory"));
});
afterAll(() => db.stop());

const setVisibility = (viewer: HistoryVisibility, commenter: HistoryVisibility, user = ana) =>
  db.append(user, workspace, null, [
    { type: "workspace.history_graded", body: { viewer, commenter } },
  ]);

type Seen = { log: number[]; text: number[]; topic: boolean };

/** Runs every way to query a document's past, and returns each result as a number of rows. */
async function seen(user: User | null): Promise<Seen> {
  const [row] = await db.as(
    user,
    (t) => t`
    select
      array[
        jsonb_array_length(read_events(${document})),
        (select count(*) from jsonb_array_elements(read_feed(${workspace})) as e where e ->>
        'stream_kind' = 'document'),
        (select count(*) from events where stream_id = ${document}),
        (select count(*) from event_payloads p where p.event_id in (select id from events where
        stream_id = ${document})),
        (select count(*) from event_payloads p where p.update is not null),
        jsonb_array_length(read_clients(${document})),
        (read_snapshot(${document}, 3) is not null)::int,
        (select count(*) from snapshots where stream_id = ${document}),
        jsonb_array_length(read_segments(${document})),
        (select count(*) from segments where stream_id = ${document}),
        (read_load(${document}) is not null)::int
      ]::int[] as log,
      array[
        (select count(*) from versions where document_id = ${document}),
        (select count(*) from documents where id = ${document})
      ]::int[] as text,
      stream_topic(${document}) is not null as topic`,
  );
  // The query above selects exactly these columns.
  return row as unknown as Seen;
}

const everything = { log: [4, 4, 4, 4, 1, 1, 1, 3, 1, 1, 1], text: [1, 1], topic: true };
const versionsOnly = { log: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], text: [1, 1], topic: false };
const nothing = { log: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], text: [0, 0], topic: false };

describe("the history visibility", () => {
  it.each([
    ["everything", "everything"],
    ["versions", "everything"],
    ["everything", "versions"],
    ["versions", "versions"],
  ] as const)(
    "[GRADE-1] %s for viewers and %s for commenters applies to every way of reading",
    async (viewer, commenter) => {
      expect(verdict(await setVisibility(viewer, commenter))).toBe("ok");
      const got = Object.fromEntries(
        await Promise.all([...people].map(async ([who, user]) => [who, await seen(user)] as const)),
      );
      expect(got).toEqual({
        owner: everything,
        editor: everything,
        removed: nothing,
        stranger: nothing,
        commenter: commenter === "everything" ? everything : versionsOnly,
        viewer: viewer === "everything" ? everything : versionsOnly,
      });
      for (const role of roles)
        expect(seesEverything(role, { viewer, commenter })).toBe(got[role]?.topic);
      await expect(seen(null)).rejects.toThrow(/permission denied/);
    },
  );

  it("[GRADE-2] leaves the members and events of a workspace readable", async () => {
    await setVisibility("versions", "versions");
    const viewer = people.get("viewer");
    if (!viewer) throw new Error("no viewer");
    const [row] = await db.as(
      viewer,
      (t) => t`
      select jsonb_array_length(read_events(${workspace})) as log, stream_topic(${workspace}) as
        topic, (select count(*)::int from members) as members,
        (select count(*)::int from events where stream_id = ${workspace}) as events`,
    );
    expect(row?.log).toBe(row?.events);
    expect([Number(row?.log) > 5, row?.topic !== null, Number(row?.members)]).toEqual([
      true,
      true,
      6,
    ]);
  });

  it("[GRADE-3] moves the channels when narrowed, not when widened", async () => {
    await setVisibility("everything", "everything");
    const topic = async () =>
      (await db.as(ana, (t) => t`select stream_topic(${document}) as topic`))[0]?.topic as string;
    const viewer = people.get("viewer");
    if (!viewer) throw new Error("no viewer");
    /** Evaluates the policies as Realtime does when the viewer joins. */
    const hears = async (name: string) => {
      await db.sql`insert into realtime.messages (topic, extension) values (${name}, 'broadcast')`;
      const [read] = await db.as(viewer, async (t) => {
        await t`select set_config('realtime.topic', ${name}, true)`;
        return t`select count(*)::int as rows from realtime.messages where topic = ${name} and event is null`;
      });
      await db.sql`delete from realtime.messages where topic = ${name} and event is null`;
      return Number(read?.rows) > 0;
    };
    const before = await topic();
    expect(await hears(before)).toBe(true);
    await setVisibility("versions", "everything");
    const after = await topic();
    expect([after !== before, await hears(before), await hears(after)]).toEqual([
      true,
      false,
      false,
    ]);
    await setVisibility("everything", "everything");
    expect([await topic(), await hears(after)]).toEqual([after, true]);
  });

  it("[GRADE-3] moves the channels when a promotion takes the history away", async () => {
    const dora = db.newUser("Dora");
    await join(db, ana, workspace, dora, "viewer");
    const topic = async (user: User) =>
      (await db.as(user, (t) => t`select stream_topic(${document}) as topic`))[0]?.topic as
        string | null;
    const promote = async (role: string) =>
      granted(
        await db.append(ana, workspace, null, [
          { type: "member.role_changed", subject: { kind: "member", id: dora.id }, body: { role } },
        ]),
      );
    await setVisibility("everything", "versions");
    const heard = await topic(dora);
    await promote("commenter");
    expect([heard === null, await topic(dora), (await topic(ana)) === heard]).toEqual([
      false,
      null,
      false,
    ]);
    await setVisibility("versions", "versions");
    const topicBefore = await topic(ana);
    await promote("editor");
    expect([await topic(dora), await topic(ana)]).toEqual([topicBefore, topicBefore]);
    granted(
      await db.append(ana, workspace, null, [
        { type: "member.removed", subject: { kind: "member", id: dora.id }, body: {} },
      ]),
    );
  });

  it("[GRADE-4] is set by owners", async () => {
    const got = Object.fromEntries(
      await Promise.all(
        [...people].map(
          async ([who, user]) =>
            [who, verdict(await setVisibility("everything", "everything", user))] as const,
        ),
      ),
    );
    expect(got).toEqual({
      owner: "ok",
      editor: "not-permitted",
      commenter: "not-permitted",
      viewer: "not-permitted",
      removed: "not-permitted",
      stranger: "not-permitted",
    });
    expect(
      verdict(
        await db.append(ana, workspace, null, [
          { type: "workspace.history_graded", body: { viewer: "nothing", commenter: "versions" } },
        ]),
      ),
    ).toBe("invalid-event");
  });

  it("[GRADE-5] lets a restricted reader copy the present and named versions alone", async () => {
    await setVisibility("versions", "versions");
    const viewer = people.get("viewer");
    if (!viewer) throw new Error("no viewer");
    const own = await newWorkspace(db, viewer);
    const [piece] = copyInEvents(Uint8Array.from(Buffer.from(state, "base64")), document);
    const fork = async (version: number) =>
      verdict(
        await db.append(viewer, randomUUID(), 0, [
          { type: "document.created", body: { workspaceId: own, title: "Mine" } },
          { type: "document.forked", body: { document, version }, ...piece },
        ]),
      );
    expect([await fork(named), await fork(4), await fork(3), await fork(1)]).toEqual([
      "ok",
      "ok",
      "not-permitted",
      "not-permitted",
    ]);
  });

  it("[GRADE-6] leaves the log readable for the service, which makes the snapshots", async () => {
    const count = await db.sql.begin(async (sql) => {
      await sql`set local role service_role`;
      const [row] = await sql`select jsonb_array_length(read_events(${document})) as count`;
      return Number(row?.count);
    });
    expect(count).toBe(4);
  });

  it("[GRADE-7] lets restricted readers comment by their role, without the log", async () => {
    await setVisibility("versions", "versions");
    const place = "AAAAAAAAAA==";
    const attempt = async (user: User | null) => {
      const [thread, comment] = [randomUUID(), randomUUID()];
      const answer = await db.append(user, document, null, [
        {
          type: "thread.opened",
          subject: { kind: "thread", id: thread },
          body: { start: place, end: place, quote: "Words" },
        },
        {
          type: "comment.added",
          subject: { kind: "comment", id: comment },
          body: { thread, text: "Whose?" },
        },
      ]);
      const [row] = await db.as(
        user,
        (t) => t`
        select (select count(*)::int from threads where id = ${thread}) as threads, (select
          count(*)::int from comments where id = ${comment}) as comments,
          jsonb_array_length(read_events(${document})) as log, stream_topic(${document}) is not null as topic`,
      );
      return [verdict(answer), row?.threads, row?.comments, Number(row?.log) > 0, row?.topic];
    };
    const got: Record<string, unknown> = {};
    for (const [who, user] of people) got[who] = await attempt(user);
    expect(got).toEqual({
      owner: ["ok", 1, 1, true, true],
      editor: ["ok", 1, 1, true, true],
      commenter: ["ok", 1, 1, false, false],
      viewer: ["not-permitted", 0, 0, false, false],
      removed: ["not-permitted", 0, 0, false, false],
      stranger: ["not-permitted", 0, 0, false, false],
    });
    await expect(attempt(null)).rejects.toThrow(/permission denied/);
  });
});
