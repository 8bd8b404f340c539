import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { granted, join, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let workspace: string;
let ana: User;
let ben: User;
let people: Record<string, User | null>;

beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  workspace = await newWorkspace(db, ana);
  ben = db.newUser("Ben");
  const [commenter, viewer, removed] = [
    db.newUser("Carol"),
    db.newUser("Dora"),
    db.newUser("Erin"),
  ];
  await join(db, ana, workspace, ben, "editor");
  await join(db, ana, workspace, commenter, "commenter");
  await join(db, ana, workspace, viewer, "viewer");
  await join(db, ana, workspace, removed, "editor");
  granted(
    await db.append(ana, workspace, null, [
      { type: "member.removed", subject: { kind: "member", id: removed.id }, body: {} },
    ]),
  );
  people = {
    owner: ana,
    editor: ben,
    commenter,
    viewer,
    "removed member": removed,
    stranger: db.newUser("Mallory"),
    "nobody signed in": null,
  };
});
afterAll(() => db.stop());

type Personal = {
  readAt: string;
  favourites: string[];
  recents: string[];
  unread: Record<string, number>;
};

const personalOf = async (user: User | null): Promise<Personal | null> =>
  (
    await db.as(
      user,
      (t) => t<{ own: Personal | null }[]>`select read_personal(${workspace}) as own`,
    )
  )[0]?.own ?? null;
/** Returns a function's answer, or "denied" if the caller may not call the function. */
const answer = (user: User | null, work: Parameters<TestDatabase["as"]>[1]): Promise<unknown> =>
  db.as(user, work).then(
    (rows) => (rows as unknown as { done: boolean }[])[0]?.done,
    (error: Error) => (/permission denied/.test(error.message) ? "denied" : error.message),
  );
const seen = (user: User | null, document: string, version: number | null, opened = false) =>
  answer(user, (t) => t`select mark_seen(${document}, ${version}, ${opened}) as done`);
const favour = (
  user: User | null,
  document: string,
  favourite = true,
  place: number | null = null,
) => answer(user, (t) => t`select set_favourite(${document}, ${favourite}, ${place}) as done`);
const readAll = (user: User | null, until: string) =>
  answer(user, (t) => t`select mark_all_read(${workspace}, ${until}) as done`);
const rename = async (user: User, document: string, title: string) =>
  granted(await db.append(user, document, null, [{ type: "document.renamed", body: { title } }]));
const now = async () => String((await db.sql`select now()::text as now`)[0]?.now);

describe("a person's own data", () => {
  it("[HOME-1] is stored for members alone", async () => {
    const document = await newDocument(db, ana, workspace);
    const said: Record<string, unknown> = {};
    for (const [who, user] of Object.entries(people))
      said[who] = [
        await seen(user, document, 1, true),
        await favour(user, document),
        await readAll(user, await now()),
      ];
    const [kept, none, denied] = [
      [true, true, true],
      [false, false, false],
      ["denied", "denied", "denied"],
    ];
    expect(said).toEqual({
      owner: kept,
      editor: kept,
      commenter: kept,
      viewer: kept,
      "removed member": none,
      stranger: none,
      "nobody signed in": denied,
    });
  });

  it("[HOME-1] is read by its owner alone: not by members, the service or a former member", async () => {
    const document = await newDocument(db, ana, workspace);
    await seen(ana, document, 1, true);
    await favour(ana, document);
    const counts = async (user: User | null) => {
      try {
        const rows = await db.as(
          user,
          (t) => t<{ count: number }[]>`
            select (select count(*) from personal_documents where user_id = ${ana.id}
                and document_id = ${document})::int
              + (select count(*) from personal_workspaces where user_id = ${ana.id})::int as count`,
        );
        return rows[0]?.count;
      } catch {
        return "denied";
      }
    };
    const said: Record<string, unknown> = {};
    for (const [who, user] of Object.entries(people)) said[who] = await counts(user);
    expect(said).toEqual({
      owner: 2,
      editor: 0,
      commenter: 0,
      viewer: 0,
      "removed member": 0,
      stranger: 0,
      "nobody signed in": "denied",
    });
    expect(await personalOf(people["stranger"] ?? null)).toBeNull();
    await expect(
      db.sql.begin(async (sql) => {
        await sql`set local role service_role`;
        await sql`select from personal_documents`;
      }),
    ).rejects.toThrow(/permission denied/);
    // A person who leaves sees no personal data, and finds the data again after rejoining.
    const leaver = db.newUser("Fay");
    await join(db, ana, workspace, leaver, "viewer");
    await seen(leaver, document, 1, true);
    granted(
      await db.append(leaver, workspace, null, [
        { type: "member.left", subject: { kind: "member", id: leaver.id }, body: {} },
      ]),
    );
    const [left] = await db.as(
      leaver,
      (t) => t`select count(*)::int as count from personal_documents`,
    );
    expect(left?.count).toBe(0);
  });

  it("[HOME-2] accepts only a readable document, and a version that it has", async () => {
    const document = await newDocument(db, ana, workspace);
    await rename(ana, document, "Second");
    const elsewhere = await newDocument(db, ben, await newWorkspace(db, ben));
    const asked = [
      await seen(ana, elsewhere, 1),
      await seen(ana, workspace, 1),
      await seen(ana, randomUUID(), 1),
      await seen(ana, document, 3),
      await seen(ana, document, 0),
      await seen(ana, document, null),
      await favour(ana, elsewhere),
      await favour(ana, randomUUID()),
      await seen(ana, document, 2),
    ];
    expect(asked).toEqual([false, false, false, false, false, false, false, false, true]);
  });

  it("[HOME-3] lists documents that others changed, with the version last read", async () => {
    const carol = db.newUser("Gil");
    const before = await newDocument(db, ana, workspace);
    await join(db, ana, workspace, carol, "viewer");
    // Changes from before a person joined are not unread.
    expect((await personalOf(carol))?.unread).toEqual({});
    await rename(ana, before, "Changed");
    const fresh = await newDocument(db, ben, workspace);
    await seen(carol, before, 1);
    expect((await personalOf(carol))?.unread).toEqual({ [before]: 1, [fresh]: 0 });
    await seen(carol, before, 2, true);
    // A document that was read stays read.
    await seen(carol, before, 1);
    expect(await personalOf(carol)).toMatchObject({ unread: { [fresh]: 0 }, recents: [before] });
    expect(Object.keys((await personalOf(ben))?.unread ?? {})).not.toContain(fresh);
  });

  it("[HOME-4] marks all as read up to a time, and can undo that", async () => {
    const reader = db.newUser("Hal");
    await join(db, ana, workspace, reader, "viewer");
    const document = await newDocument(db, ana, workspace);
    const earlier = String((await personalOf(reader))?.readAt);
    const until = await now();
    await rename(ana, await newDocument(db, ana, workspace), "Too late to be seen");
    await readAll(reader, until);
    const rest = (await personalOf(reader))?.unread ?? {};
    expect(Object.keys(rest)).toHaveLength(1);
    expect(rest).not.toHaveProperty(document);
    await readAll(reader, "2999-01-01");
    expect((await personalOf(reader))?.unread).toEqual({});
    // A time in the future does not hide changes that are still to happen.
    await rename(ana, document, "News");
    expect((await personalOf(reader))?.unread).toEqual({ [document]: 0 });
    await readAll(reader, earlier);
    expect(Object.keys((await personalOf(reader))?.unread ?? {})).toHaveLength(2);
  });

  it("[HOME-5] keeps up to 200 favourites in their order, each once", async () => {
    const reader = db.newUser("Ida");
    await join(db, ana, workspace, reader, "viewer");
    const [one, two, three] = [
      await newDocument(db, ana, workspace),
      await newDocument(db, ana, workspace),
      await newDocument(db, ana, workspace),
    ];
    const order = async () => (await personalOf(reader))?.favourites;
    for (const each of [one, two, three]) await favour(reader, each);
    expect(await order()).toEqual([one, two, three]);
    await favour(reader, three, true, 0);
    expect(await order()).toEqual([three, one, two]);
    await favour(reader, three, true, 99);
    await favour(reader, one, false);
    expect(await order()).toEqual([two, three]);
    await db.sql`update personal_workspaces set favourites = array(
      select gen_random_uuid() from generate_series(1, 200)) where user_id = ${reader.id}`;
    expect(await favour(reader, one)).toBe(false);
    expect(await order()).toHaveLength(200);
  });

  it("[HOME-2] keeps 10 000 documents of a person, and drops the least recently opened", async () => {
    const reader = db.newUser("Joe");
    await join(db, ana, workspace, reader, "viewer");
    await db.sql`insert into personal_documents
        (user_id, document_id, workspace_id, seen_version, seen_at, opened_at)
      select ${reader.id}, gen_random_uuid(), ${workspace}, n, now(), now() - n * interval '1 hour'
      from generate_series(1, 10000) as n`;
    await seen(reader, await newDocument(db, ana, workspace), 1, true);
    const [row] = await db.sql`select count(*)::int as count, max(seen_version)::int as oldest
      from personal_documents where user_id = ${reader.id}`;
    expect(row).toEqual({ count: 10_000, oldest: 9_999 });
  });

  it("[HOME-6] notifies the pages of its owner alone", async () => {
    const reader = db.newUser("Kim");
    await join(db, ana, workspace, reader, "viewer");
    const document = await newDocument(db, ana, workspace);
    const sent = async () =>
      db.sql`select topic, event, payload, private from realtime.messages
        where topic like ${`%${reader.id}%`} order by inserted_at`;
    await seen(reader, document, 1, true);
    await favour(reader, document);
    const messages = await sent();
    expect(messages).toMatchObject([
      {
        topic: `account:${reader.id}:0`,
        event: "personal",
        private: true,
        payload: { workspace, document, version: 1 },
      },
      { topic: `account:${reader.id}:0`, payload: { workspace } },
    ]);
    // Reading without progress sends no message.
    await seen(reader, document, 1);
    expect(await sent()).toHaveLength(2);
  });

  it("[HOME-1] survives a rebuild of the read models", async () => {
    const document = await newDocument(db, ana, workspace);
    await favour(ana, document);
    await db.sql`select rebuild_projections()`;
    expect((await personalOf(ana))?.favourites).toContain(document);
  });
});
