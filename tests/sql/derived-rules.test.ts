import { afterAll, beforeAll, expect, it } from "vitest";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { asService, edit, indexDocument } from "@/tests/support/database/search-index";
import { newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let ana: User;
let document: string;

beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  const workspace = await newWorkspace(db, ana);
  document = await newDocument(db, ana, workspace);
  await edit(db, ana, document, (text) => text.insert(0, "The osprey came back in May. "));
});
afterAll(() => db.stop());

const deriveBy = async (kind: string, rule: number): Promise<unknown> => {
  const rows = await asService(db, async (sql) => sql`select derive_by(${kind}, ${rule}) as began`);
  return rows[0]?.["began"];
};
const count = async (rows: Promise<readonly object[]>) => (await rows).length;

it("[LINE-11] lines of an earlier rule are derived again once", async () => {
  await db.sql`delete from private.stale_lines where stream_id = ${document}`;
  await db.sql.begin(async (sql) => {
    await sql`set local session_replication_role = replica`;
    await sql`insert into public.change_lines (stream_id, workspace_id, version, actor_id, from_version, to_version,
        began_at, ended_at, added, removed, changes, parts)
      select d.id, d.workspace_id, 2, ${ana.id}, 1, 2, now(), now(), 1, 0, 1, '[]'
      from public.documents d where d.id = ${document}`;
  });
  expect(await deriveBy("lines", 1_000)).toBe(true);
  const lines = () => db.sql`select from public.change_lines where stream_id = ${document}`;
  const marks = () => db.sql`select from private.stale_lines where stream_id = ${document}`;
  expect([await count(lines()), await count(marks())]).toEqual([0, 1]);
  await db.sql`delete from private.stale_lines where stream_id = ${document}`;
  // A second process with this rule marks nothing, nor does a process with an earlier rule.
  expect([await deriveBy("lines", 1_000), await deriveBy("lines", 999)]).toEqual([false, false]);
  expect(await count(marks())).toBe(0);
});

it("[SEARCH-19] documents of an earlier rule stay searchable until they are reindexed", async () => {
  await indexDocument(db, ana, document);
  const states = () => db.sql`select from private.search_states where stream_id = ${document}`;
  const entries = () => db.sql`select from private.search_entries where stream_id = ${document}`;
  const found = await count(entries());
  expect([found > 0, await count(states())]).toEqual([true, 1]);
  expect(await deriveBy("search", 1_000)).toBe(true);
  expect([await count(entries()), await count(states())]).toEqual([found, 0]);
});

it.each(["anon", "authenticated"] as const)(
  "[LINE-11] derives for the service, not for %s",
  async (role) => {
    const asked = db.as(role === "anon" ? null : ana, (sql) => sql`select derive_by('lines', 5)`);
    await expect(asked).rejects.toThrow(/permission denied|not-permitted/);
  },
);
