import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { watchSessions } from "@/supabase/local/auth/live-sessions";
import type { LiveSessions } from "@/supabase/local/auth/live-sessions";
import { systemClock } from "@/supabase/local/realtime/clock";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase } from "@/tests/support/database/database";

let db: TestDatabase;
let sessions: LiveSessions;
const heard: string[] = [];
const watch = () =>
  watchSessions({ databaseUrl: db.url, sql: db.sql, clock: systemClock, log: () => undefined });
beforeAll(async () => {
  db = await testDatabase();
  sessions = await watch();
  sessions.onEnd((session) => heard.push(session));
});
afterAll(async () => {
  await sessions.close();
  await db.stop();
});

async function begin(user = randomUUID(), until: string | null = null) {
  const session = randomUUID();
  await db.sql`insert into auth.users (id, email) values (${user}, ${`${user}@example.com`}) on conflict do nothing`;
  await db.sql`insert into auth.sessions (id, user_id, not_after) values (${session}, ${user}, ${until})`;
  return { user, session };
}
const end = (session: string) => db.sql`delete from auth.sessions where id = ${session}`;
const drop = () => db.sql`
  select pg_terminate_backend(pid, 10000) from pg_stat_activity where query ilike 'listen %' or query = 'select 1'`;

it("[API-40] knows the valid sessions", async () => {
  const { session } = await begin();
  expect(await sessions.holds(session)).toBe(true);
  expect(await sessions.holds(randomUUID())).toBe(false);
  expect(await sessions.holds((await begin(randomUUID(), "2020-01-01")).session)).toBe(false);
  expect(await sessions.holds((await begin(randomUUID(), "2120-01-01")).session)).toBe(true);
});

it("[API-40] hears at once of an ended session and of a deleted account", async () => {
  const { user, session } = await begin();
  const all = [session, (await begin(user)).session, (await begin(user)).session];
  for (const one of all) expect(await sessions.holds(one)).toBe(true);
  await end(session);
  await sessions.caughtUp();
  expect(all.map(sessions.hasEnded)).toEqual([true, false, false]);
  await db.sql`delete from auth.users where id = ${user}`;
  await sessions.caughtUp();
  expect(all.map(sessions.hasEnded)).toEqual([true, true, true]);
  expect(await Promise.all(all.map(sessions.holds))).toEqual([false, false, false]);
  expect(heard.slice(-3)).toEqual(expect.arrayContaining(all));
});

it("[API-40] knows the ended sessions after a restart", async () => {
  const [gone, there] = [await begin(), await begin()];
  await end(gone.session);
  const again = await watch();
  expect(await again.holds(gone.session)).toBe(false);
  expect(await again.holds(there.session)).toBe(true);
  await again.close();
});

it("[API-40] trusts no session that it knew before its connection was lost", async () => {
  const [{ session }, other] = [await begin(), await begin()];
  for (const one of [session, other.session]) expect(await sessions.holds(one)).toBe(true);
  // Deleted without triggers, like a commit while no connection listens.
  await db.sql`alter table auth.sessions disable trigger announce_end`;
  await end(session);
  await db.sql`alter table auth.sessions enable always trigger announce_end`;
  expect(await sessions.holds(session)).toBe(true);
  await drop();
  await expect.poll(() => sessions.hasEnded(session)).toBe(true);
  expect(heard.at(-1)).toBe(session);
  expect(await sessions.holds(session)).toBe(false);
  expect(await sessions.holds(other.session)).toBe(true);
  await end(other.session);
  await expect.poll(() => sessions.hasEnded(other.session)).toBe(true);
});
