import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.stop());

async function newSession(user: User, ended = false): Promise<string> {
  const id = randomUUID();
  await db.sql`insert into auth.users (id, email) values (${user.id}, ${user.email}) on conflict do nothing`;
  await db.sql`
    insert into auth.sessions (id, user_id, created_at, refreshed_at, not_after, user_agent)
    values (${id}, ${user.id}, '2026-11-20T08:00:00Z', '2026-11-21 09:30:00',
      ${ended ? "2026-11-20T09:00:00Z" : null}, 'curl/8')`;
  return id;
}

/** Runs a person's own request in one of the person's sessions. */
const from = <T>(user: User, session: string, work: (sql: TransactionSql) => Promise<T>) =>
  db.as(user, async (sql) => {
    await sql`select set_config('request.jwt.claims',
      ${JSON.stringify({ sub: user.id, role: "authenticated", session_id: session })}, true)`;
    return work(sql);
  });
const list = (user: User, session: string) =>
  from(user, session, async (sql) => (await sql`select read_sessions() as told`)[0]?.told);
const end = (user: User, session: string, other: string) =>
  from(user, session, async (sql) => (await sql`select end_session(${other}) as done`)[0]?.done);

it("[ACC-14] a person sees their own sessions alone, the current one first, without ended ones", async () => {
  const [ana, ben] = [db.newUser("Ana"), db.newUser("Ben")];
  const [first, here] = [await newSession(ana), await newSession(ana)];
  await newSession(ana, true);
  await newSession(ben);
  expect(await list(ana, here)).toMatchObject([
    { id: here, current: true, user_agent: "curl/8", used_at: "2026-11-21T09:30:00+00:00" },
    { id: first, current: false },
  ]);
});

it("[ACC-14] a person ends their other sessions, but not this one or another person’s", async () => {
  const [ana, ben] = [db.newUser("Ana"), db.newUser("Ben")];
  const [here, there, bens] = [await newSession(ana), await newSession(ana), await newSession(ben)];
  expect(await end(ana, here, bens)).toBe(false);
  expect(await end(ana, here, here)).toBe(false);
  expect(await end(ana, here, there)).toBe(true);
  expect(await list(ana, here)).toMatchObject([{ id: here }]);
  expect(await list(ben, bens)).toMatchObject([{ id: bens }]);
});

it("[ACC-14] a visitor can do neither", async () => {
  await expect(db.as(null, (sql) => sql`select read_sessions()`)).rejects.toThrow(
    "permission denied",
  );
  await expect(db.as(null, (sql) => sql`select end_session(${randomUUID()})`)).rejects.toThrow(
    "permission denied",
  );
});
