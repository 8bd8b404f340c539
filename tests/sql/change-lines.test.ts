import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { granted, join, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let ana: User;
let workspace: string;
let document: string;

beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  workspace = await newWorkspace(db, ana);
});
beforeEach(async () => {
  document = await newDocument(db, ana, workspace);
});
afterAll(() => db.stop());

const asService = <T>(
  query: (sql: Parameters<Parameters<TestDatabase["as"]>[1]>[0]) => PromiseLike<T>,
) =>
  db.sql.begin(async (sql) => {
    await sql`set local role service_role`;
    await sql`select set_config('request.jwt.claims', '{"role":"service_role"}', true)`;
    return query(sql);
  });
/** Takes marks as after a minute: a mark's settling time grows with the length of the history. */
const take = async (settled = "-1 minute"): Promise<string[]> => {
  const rows = await asService((sql) => sql`select take_stale_lines(64, ${settled}) as taken`);
  return (rows as unknown as { taken: string[] }[])[0]?.taken ?? [];
};
const rename = async (title: string) =>
  granted(await db.append(ana, document, null, [{ type: "document.renamed", body: { title } }]));
/** Ages the workspace's last notice of the document to more than five seconds ago. */
const settled = () =>
  db.sql`update private.streams set announced_at = announced_at - interval '1 minute' where id = ${document}`;
const headOf = async (version: number) =>
  String(
    (
      await db.sql`select encode(hash, 'hex') as hash from events
        where stream_id = ${document} and version = ${version}`
    )[0]?.hash,
  );
const line = (from: number, to = from) => ({
  actor: ana.id,
  from,
  to,
  began: "2026-11-24T10:00:00Z",
  at: "2026-11-24T10:05:00Z",
  added: 2,
  removed: 1,
  changes: 1,
  parts: [{ kind: "renamed", title: "Budget" }],
});
const write = async (after: number, seen: number, lines: object[], head?: string) => {
  const hash = head ?? (await headOf(seen));
  const wire = JSON.stringify(lines);
  return asService(
    (sql) => sql`select write_lines(${document}, ${after}, ${seen}, ${hash}, ${wire}::text::jsonb)`,
  );
};
const read = async (user: User | null): Promise<unknown> =>
  db
    .as(
      user,
      (t) => t<{ from_version: string }[]>`select from_version, parts from change_lines
        where stream_id = ${document} order by from_version`,
    )
    .then(
      (rows) => rows.map((row) => Number(row.from_version)),
      () => "denied",
    );

it("[LINE-5] marks a changed document once, however often it changes", async () => {
  await rename("One");
  await rename("Two");
  expect(await take("1 hour")).toEqual([]);
  expect(await take()).toContain(document);
  // Another caller has taken the document's mark.
  expect(await take()).not.toContain(document);
  await settled();
  await write(0, 3, [line(1), line(2, 3)]);
  expect(await take()).not.toContain(document);
});

it("[LINE-5] stays marked while an edit may come without a mark", async () => {
  await rename("One");
  await take();
  // The workspace was notified a moment ago, so this write sends no further notice.
  await write(0, 2, [line(1, 2)]);
  expect(await take()).toContain(document);
  await settled();
  await write(0, 2, [line(1, 2)]);
  expect(await take()).not.toContain(document);
});

it("[LINE-5] can be retried indefinitely when its cause may pass", async () => {
  for (let tries = 0; tries < 4; tries += 1) {
    expect(await take()).toContain(document);
    await asService((sql) => sql`select return_stale_lines(${[document]})`);
  }
  expect(await take("1 second")).not.toContain(document);
});

it("[LINE-5] stays marked after a later append, and gives up after three failures", async () => {
  await take();
  await rename("Later");
  await write(0, 1, [line(1)]);
  for (let tries = 0; tries < 3; tries += 1) {
    expect(await take()).toContain(document);
    await asService((sql) => sql`select return_stale_lines('{}', ${[document]})`);
    expect(await take()).not.toContain(document);
    await db.sql`update private.stale_lines set taken_at = now() - interval '1 hour'`;
  }
  expect(await take()).not.toContain(document);
  await rename("Again");
  expect(await take()).toContain(document);
});

it("[LINE-5] is not given up because its processes ended", async () => {
  for (let ended = 0; ended < 5; ended += 1) {
    expect(await take()).toContain(document);
    await db.sql`update private.stale_lines set taken_at = now() - interval '6 minutes'`;
  }
  expect(await take()).toContain(document);
});

it("[LINE-5] retries a document after those not yet tried", async () => {
  const heavy = document;
  await take();
  await db.sql`update private.stale_lines set taken_at = now() - interval '1 hour', marked_at = now() - interval '1 day'
    where stream_id = ${heavy}`;
  const fresh = await newDocument(db, ana, workspace);
  const first = async () => {
    const [row] = await asService((sql) => sql`select take_stale_lines(1, '-1 hour') as taken`);
    return (row as { taken: string[] } | undefined)?.taken;
  };
  await db.sql`delete from private.stale_lines where stream_id not in ${db.sql([heavy, fresh])}`;
  expect([await first(), await first()]).toEqual([[fresh], [heavy]]);
});

it("[LINE-6] replaces lines from a session on, for this log alone", async () => {
  await rename("Two");
  await rename("Three");
  await write(0, 2, [line(1), line(2)]);
  await write(1, 3, [line(2, 3)]);
  expect(await read(ana)).toEqual([1, 2]);
  await expect(write(0, 3, [line(1)], await headOf(2))).rejects.toThrow("invalid-event");
  await expect(write(0, 4, [line(1)], "00")).rejects.toThrow("invalid-event");
  expect(await read(ana)).toEqual([1, 2]);
});

it("[LINE-7] are read with the history, and written by the service alone", async () => {
  await write(0, 1, [line(1)]);
  const people: Record<string, User | null> = { owner: ana };
  for (const role of ["editor", "commenter", "viewer"] as const) {
    people[role] = db.newUser(role);
    await join(db, ana, workspace, people[role], role);
  }
  const removed = db.newUser("Erin");
  await join(db, ana, workspace, removed, "editor");
  granted(
    await db.append(ana, workspace, null, [
      { type: "member.removed", subject: { kind: "member", id: removed.id }, body: {} },
    ]),
  );
  Object.assign(people, { removed, stranger: db.newUser("Mallory"), nobody: null });
  const all = async () =>
    Object.fromEntries(
      await Promise.all(Object.entries(people).map(async ([who, user]) => [who, await read(user)])),
    );
  const none = { removed: [], stranger: [], nobody: "denied" };
  expect(await all()).toEqual({ owner: [1], editor: [1], commenter: [1], viewer: [1], ...none });
  const graded = (visibility: string) =>
    db.append(ana, workspace, null, [
      {
        type: "workspace.history_graded",
        body: { viewer: visibility, commenter: visibility } as never,
      },
    ]);
  granted(await graded("versions"));
  expect(await all()).toEqual({ owner: [1], editor: [1], commenter: [], viewer: [], ...none });
  granted(await graded("everything"));
  for (const user of [ana, removed])
    await expect(
      db.as(user, (t) => t`select write_lines(${document}, 0, 1, '', '[]')`),
    ).rejects.toThrow(/permission denied/);
  for (const call of ["take_stale_lines()", "return_stale_lines('{}')"])
    await expect(db.as(ana, (t) => t.unsafe(`select ${call}`))).rejects.toThrow(
      /permission denied/,
    );
});

it("[LINE-8] go with a redaction, and are refused if derived before it", async () => {
  await rename("Secret");
  await write(0, 2, [line(1), line(2)]);
  await db.sql.begin(async (sql) => {
    await sql`update private.streams set redacted_at = 3 where id = ${document}`;
    await sql`select private.drop_caches(${document})`;
  });
  expect(await read(ana)).toEqual([]);
  await expect(write(0, 2, [line(1)])).rejects.toThrow("version-conflict");
  expect(await read(ana)).toEqual([]);
});
